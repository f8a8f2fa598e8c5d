import type { Field, Piece } from "./fields.ts";

/** What a command reads on standard input. `text`: a here-document or here-string. */
export type Stdin =
  | { kind: "inherited" }
  | { kind: "pipe" }
  | { kind: "file" }
  | { kind: "text"; pieces: readonly Piece[] };

/** `NAME=value` before a command or alone. */
export interface ShellAssignment {
  name: string;
  /** As written, for rules that spell it out. */
  text: string;
  value: readonly Piece[];
}

interface ItemBase {
  /** The part of the script, as written. */
  source: string;
  /** The node of the grammar that it stands for: rounds of a loop share it. */
  origin: object;
  /** Folders in which it may run; undefined: unknown. */
  cwds: readonly string[] | undefined;
}

/** A simple command. `isFunction`: its name is a function of the script, whose body is judged where it stands. */
export interface ShellCommand extends ItemBase {
  type: "command";
  fields: readonly Field[];
  assignments: readonly ShellAssignment[];
  stdin: Stdin;
  isFunction: boolean;
}

/** Variables set by the shell itself. `exported`: its commands see them. */
export interface ShellSetting extends ItemBase {
  type: "setting";
  assignments: readonly ShellAssignment[];
  exported: boolean;
}

/** A file that the shell itself opens or looks at. */
export interface ShellFile extends ItemBase {
  type: "file";
  access: "read" | "write";
  target: Field;
}

/** Something whose effect the text does not show. */
export interface ShellProblem extends ItemBase {
  type: "problem";
  reason: string;
  /** The grammar has stumbled: the text may hold commands that were not found. */
  unreadable: boolean;
}

/** What a script does, in the order of its text. */
export type ShellItem = ShellCommand | ShellSetting | ShellFile | ShellProblem;
