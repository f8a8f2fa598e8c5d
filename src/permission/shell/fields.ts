import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { expandBraces } from "../globs.ts";
import type { ShellState } from "./shellState.ts";

/**
 * A stretch of a word after expansion. `text`: known; `wild`: matched against file names, so any text without a slash;
 * `number`: digits; `any`: unknown, of the named variable of the environment where it comes from one.
 * `descriptor`: the path of a process substitution.
 */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "wild"; pattern: string }
  | { kind: "number" }
  | { kind: "any"; variable?: string }
  | { kind: "descriptor" };

/** One argument as the shell passes it on. `raw`: quotes removed, nothing expanded. `many`: may be no word or several. */
export interface Field {
  pieces: readonly Piece[];
  raw: string;
  many: boolean;
}

/** A piece before the word is cut at blanks. */
type Loose = { piece: Piece; quoted: boolean };

const MAX_FIELDS = 64;
const NUMERIC = new Set(["?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "SHLVL"]);

/** The text of a field that is known in full. */
export function fieldText(field: Field | undefined): string | undefined {
  return field === undefined || field.many ? undefined : textOf(field.pieces);
}

/** The text of pieces that are known in full. */
export function textOf(pieces: readonly Piece[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind !== "text") return undefined;
    text += piece.text;
  }
  return text;
}

/** The known text that the field begins with. */
export function fieldStart(field: Field): string {
  const known = field.pieces.findIndex(({ kind }) => kind !== "text");
  return textOf(known < 0 ? field.pieces : field.pieces.slice(0, known)) ?? "";
}

/** A field of known text. */
export function textField(text: string): Field {
  return { pieces: [{ kind: "text", text }], raw: text, many: false };
}

/** The fields that a word becomes: none, one or several. */
export function expandWord(word: Word, state: ShellState): Field[] {
  const variants = braceVariants(word);
  if (!variants) return [{ pieces: [{ kind: "any" }], raw: word.value, many: true }];
  return variants.flatMap((parts) => splitFields(looseParts(word, parts, state), word.value));
}

/** The pieces of a word where it is never cut: an assignment, a redirection, the inside of quotes. */
export function wordPieces(word: Word, state: ShellState): Piece[] {
  const variants = braceVariants(word);
  if (variants?.length !== 1) return [{ kind: "any" }];
  return joined(looseParts(word, variants[0], state).map(({ piece }) => piece));
}

/** The pieces of the parts of a here-document or of a quoted text. */
export function quotedPieces(parts: readonly WordPart[] | readonly DoubleQuotedChild[], state: ShellState): Piece[] {
  return joined(parts.flatMap((part) => partPieces(part, true, state)).map(({ piece }) => piece));
}

/** Pieces side by side that are known become one. */
export function joined(pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (piece.kind === "text" && last?.kind === "text")
      out[out.length - 1] = { kind: "text", text: last.text + piece.text };
    else if (piece.kind !== "text" || piece.text !== "" || pieces.length === 1) out.push(piece);
  }
  return out;
}

/** The word's parts for each alternative of its braces; undefined where these cannot be told. */
function braceVariants(word: Word): (readonly WordPart[] | undefined)[] | undefined {
  const parts = word.parts;
  if (!parts) return [undefined];
  if (!parts.some(({ type }) => type === "BraceExpansion"))
    return parts.some(looksLikeBraces) && /\{.*(?:,|\.\.).*\}/s.test(word.text) ? undefined : [parts];
  let variants: WordPart[][] = [[]];
  for (const part of parts) {
    const choices = part.type === "BraceExpansion" ? braceChoices(part.text) : [[part]];
    if (!choices) return undefined;
    variants = variants.flatMap((variant) => choices.map((choice) => [...variant, ...choice]));
    if (variants.length > MAX_FIELDS) return undefined;
  }
  return variants;
}

function looksLikeBraces(part: WordPart): boolean {
  return part.type === "Literal" && part.text.replace(/\\./gs, "").includes("{");
}

function braceChoices(text: string): WordPart[][] | undefined {
  if (!/^[\w./,{}+@:%=*?~-]*$/.test(text)) return undefined;
  const range = /^\{(-?(?:0|[1-9]\d{0,5}))\.\.(-?(?:0|[1-9]\d{0,5}))\}$/.exec(text);
  const choices = range ? numbersBetween(Number(range[1]), Number(range[2])) : expandBraces(text, MAX_FIELDS);
  if (!choices || choices.some((choice) => /[{}]/.test(choice)) || text.includes("..") !== (range !== null))
    return undefined;
  return choices.map(wildParts);
}

function numbersBetween(from: number, to: number): string[] | undefined {
  const count = Math.abs(to - from) + 1;
  if (count > MAX_FIELDS) return undefined;
  return Array.from({ length: count }, (_, index) => String(from < to ? from + index : from - index));
}

/** Text with `*` and `?` as parts, as the parser would give them. */
function wildParts(text: string): WordPart[] {
  const at = { pos: 0, end: 0 };
  return text
    .split(/([*?])/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      piece === "*" || piece === "?"
        ? { type: "Glob", kind: piece === "*" ? "star" : "question", text: piece, value: piece, ...at }
        : { type: "Literal", text: piece, value: piece, ...at },
    );
}

function looseParts(word: Word, parts: readonly WordPart[] | undefined, state: ShellState): Loose[] {
  const tilde = tildeOf(word.text, state);
  if (!parts) return [{ piece: tilde?.piece(word.value) ?? { kind: "text", text: word.value }, quoted: true }];
  const loose = parts.flatMap((part) => partPieces(part, false, state));
  const first = loose[0];
  if (tilde && first?.piece.kind === "text") loose[0] = { piece: tilde.piece(first.piece.text), quoted: true };
  return loose;
}

/** What an unquoted tilde at the start of a word does to the text that begins with it. */
function tildeOf(source: string, state: ShellState): { piece(text: string): Piece } | undefined {
  if (!source.startsWith("~")) return undefined;
  if (!/^~(?:$|\/)/.test(source)) return { piece: () => ({ kind: "any" }) };
  return { piece: (text) => ({ kind: "text", text: state.home + text.slice(1) }) };
}

function partPieces(part: WordPart, quoted: boolean, state: ShellState): Loose[] {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ piece: { kind: "text", text: part.value }, quoted: true }];
    case "DoubleQuoted":
    case "LocaleString": {
      const inner = part.parts.flatMap((child) => partPieces(child, true, state));
      return inner.length > 0 ? inner : [{ piece: { kind: "text", text: "" }, quoted: true }];
    }
    case "Glob":
      return [{ piece: { kind: "wild", pattern: part.text }, quoted: true }];
    case "SimpleExpansion":
      return variablePieces(part.text.slice(1), quoted, state);
    case "ParameterExpansion":
      return parameterPieces(part, quoted, state);
    case "ArithmeticExpansion":
      return [{ piece: { kind: "number" }, quoted: true }];
    case "ProcessSubstitution":
      return [{ piece: { kind: "descriptor" }, quoted: true }];
    case "CommandExpansion":
      return printsFolder(part.script) ? variablePieces("PWD", quoted, state) : [{ piece: { kind: "any" }, quoted }];
    default:
      return [{ piece: { kind: "any" }, quoted }];
  }
}

/** `$(pwd)` is where the shell stands. */
function printsFolder(script: ParsedScript | undefined): boolean {
  const command = script?.commands[0]?.command;
  return (
    script?.commands.length === 1 &&
    command?.type === "Command" &&
    command.name?.text === "pwd" &&
    command.suffix.length + command.prefix.length === 0
  );
}

function parameterPieces(part: ParameterExpansionPart, quoted: boolean, state: ShellState): Loose[] {
  if (part.prefix === "#") return [{ piece: { kind: "number" }, quoted: true }];
  if (part.prefix || part.index || part.operation) {
    const variable = state.variables.has(part.parameter) ? {} : { variable: part.parameter };
    return [{ piece: { kind: "any", ...variable }, quoted }];
  }
  return variablePieces(part.parameter, quoted, state);
}

function variablePieces(name: string, quoted: boolean, state: ShellState): Loose[] {
  const known = state.variables.get(name);
  if (known) return known.map((piece) => ({ piece, quoted }));
  if (NUMERIC.has(name) && !state.variables.has(name)) return [{ piece: { kind: "number" }, quoted: true }];
  if (state.variables.has(name)) return [{ piece: { kind: "any" }, quoted }];
  if (name === "HOME") return [{ piece: { kind: "text", text: state.home }, quoted: true }];
  if (name === "PWD" && state.cwds?.length === 1 && !/[*?[]/.test(state.cwds[0] ?? ""))
    return [{ piece: { kind: "text", text: state.cwds[0] ?? "" }, quoted: quoted || !/\s/.test(state.cwds[0] ?? "") }];
  return [{ piece: { kind: "any", variable: name }, quoted }];
}

/** Cuts what is not quoted at blanks, and lets its wildcards be wildcards. */
function splitFields(loose: readonly Loose[], raw: string): Field[] {
  const fields: Piece[][] = [];
  let current: Piece[] | undefined;
  let many = false;
  for (const { piece, quoted } of loose) {
    if (quoted || piece.kind === "number") {
      current = [...(current ?? []), piece];
    } else if (piece.kind === "text") {
      const [head = "", ...tail] = piece.text.split(/[ \t\n]+/);
      if (head !== "") current = [...(current ?? []), ...wildPieces(head)];
      for (const next of tail) {
        if (current) fields.push(current);
        current = next === "" ? undefined : wildPieces(next);
      }
    } else {
      many ||= piece.kind === "any";
      current = [...(current ?? []), piece];
    }
  }
  if (current) fields.push(current);
  return fields.map((pieces) => ({ pieces: joined(pieces), raw, many }));
}

function wildPieces(text: string): Piece[] {
  return text
    .split(/([*?[\]]+)/)
    .filter((piece) => piece !== "")
    .map((piece) => (/^[*?[\]]/.test(piece) ? { kind: "wild", pattern: piece } : { kind: "text", text: piece }));
}
