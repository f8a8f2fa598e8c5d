import type { ParsedScript } from "unbash";
import { isOwnVariable } from "../environmentNames.ts";
import type { ShellItem, Stdin } from "./shellItems.ts";
import type { ShellState } from "./shellState.ts";

/**
 * A walk over a script: what it finds goes into `items`. `unrollable`: characters of
 * loop bodies that may still be walked once for each round.
 */
export interface Walker {
  items: ShellItem[];
  unrollable: number;
  /** Joins a folder and a path, by text. */
  join(folder: string, path: string): string;
  /** Walks a script inside the script: a substitution. */
  walk(script: ParsedScript, place: Place, state: ShellState): void;
}

/** Where a piece of the script stands. `source`: the text that its positions count in. */
export interface Place {
  source: string;
  stdin: Stdin;
}

/** Notes something whose effect the text does not show. */
export function report(
  node: { pos: number; end: number },
  reason: string,
  { source }: Place,
  { cwds }: ShellState,
  walker: Walker,
): void {
  const shown = source.slice(node.pos, node.end);
  walker.items.push({ type: "problem", source: shown, origin: node, cwds, reason, unreadable: false });
}

/** Notes a variable that is set by other means than an assignment, if it changes what runs. */
export function reportSetting(
  node: { pos: number; end: number },
  name: string,
  place: Place,
  state: ShellState,
  walker: Walker,
): void {
  if (!isOwnVariable(name, false)) report(node, settingReason(name), place, state, walker);
}

/** Why a script that sets this variable is not covered by what allows the rest of it. */
export function settingReason(name: string): string {
  return `It sets ${name}, which may change what runs.`;
}
