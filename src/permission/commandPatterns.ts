import { parse, type Word, type WordPart } from "unbash";
import { type Glob, globMatches, literalGlob, matchWithStars } from "./globs.ts";

/**
 * The pattern of a `Bash(…)` rule, compared word by word. `open`: it ends in `:*` or ` *`, so any further words match,
 * none too; without it the words must be all there are. `text`: for a command that is the very text of the rule.
 */
export interface CommandPattern {
  words: readonly WordPattern[];
  open: boolean;
  text: string;
}

/** `**`: any number of words (a star that stands alone in the middle); else one word, in which `*` stands for any text. */
type WordPattern = Glob | "**";

/** Compiles the text between the brackets of a rule; only `*` is a wildcard. */
export function compileCommandPattern(text: string): CommandPattern {
  const trimmed = text.trim();
  if (trimmed === "*" || trimmed === ":*" || trimmed === "**") return { words: [], open: true, text: trimmed };
  const open = /(?::\*|\s\*)$/.test(trimmed);
  const body = open ? trimmed.slice(0, -2).trim() : trimmed;
  return { words: wordsOf(body).map(compileWord), open, text: trimmed };
}

/** Whether an allow rule covers exactly these words. */
export function commandAllowed(pattern: CommandPattern, words: readonly string[]): boolean {
  return matchWords([...pattern.words, ...(pattern.open ? (["**"] as const) : [])], words);
}

/**
 * Whether a deny or ask rule covers these words: surely, perhaps (words that are not known may be those of the rule), or
 * not. Looser than for allow rules: the program may be given by its path, and options (with one value each) and empty
 * words may stand between the words of the rule or in another order.
 */
export function commandCovered(
  pattern: CommandPattern,
  words: readonly (string | undefined)[],
): "surely" | "perhaps" | "no" {
  const [program, ...rest] = words.filter((word) => word !== "");
  if (program === undefined) return "no";
  const name = programName(program);
  const filled = rest.map((word) => word ?? UNKNOWN);
  const plain = [[program, ...filled], [name, ...filled], words.map((word) => word ?? UNKNOWN)];
  if (plain.some((form) => commandAllowed(pattern, form))) return "surely";
  if (pattern.open && looselyCovered(pattern.words, name, filled)) return "surely";
  const end = rest.indexOf(undefined);
  return end >= 0 && mayContinue(pattern.words, name, filled.slice(0, end)) ? "perhaps" : "no";
}

/** Stands for a word that is not known: no word of a rule is like it. */
const UNKNOWN = "\0";

/** The program that a pattern names, without a path and case-folded; undefined where it may be several. */
export function patternProgram({ words }: CommandPattern): string | undefined {
  const [first] = words;
  return first === undefined || first === "**" || first.literal === undefined ? undefined : programName(first.literal);
}

/** Whether the pattern has no wildcard: it stands for one command. */
export function isExactPattern({ words, open }: CommandPattern): boolean {
  return !open && words.every((word) => word !== "**" && word.literal !== undefined);
}

/** The last component of a program's path, case-folded as the file systems that ignore case would find it. */
export function programName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  return name.replace(/\.exe$/i, "").toLowerCase();
}

function looselyCovered(pattern: readonly WordPattern[], name: string, rest: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined || first === "**" || !isProgram(first, name)) return false;
  const flags = others.filter(isFlag).map((word) => (word === "**" ? "" : (word.literal ?? "")));
  if (!flags.every((flag) => hasFlag(flag, rest))) return false;
  return subsequence(
    others.filter((word) => !isFlag(word)),
    rest,
  );
}

/** Whether the known words lead up to a place where the next words of the rule may stand. */
function mayContinue(pattern: readonly WordPattern[], name: string, known: readonly string[]): boolean {
  const [first, ...others] = pattern;
  if (first === undefined || first === "**" || !isProgram(first, name)) return false;
  const words = others.filter((word) => !isFlag(word));
  for (let count = 0; count < words.length; count += 1) {
    const ends = [...reachable(words.slice(0, count), known)];
    if (ends.some((end) => starts([...known, UNKNOWN], end).includes(known.length))) return true;
  }
  return words.length < others.length && subsequence(words, known);
}

function hasFlag(flag: string, words: readonly string[]): boolean {
  if (flag.startsWith("--"))
    return words.some((word) => word === flag || word.startsWith(`${flag}=`) || abbreviates(word, flag));
  const letters = new Set(words.filter((word) => /^-[A-Za-z]+$/.test(word)).flatMap((word) => [...word.slice(1)]));
  return words.includes(flag) || [...flag.slice(1)].every((letter) => letters.has(letter));
}

function abbreviates(word: string, flag: string): boolean {
  return word.length > 3 && word.startsWith("--") && flag.startsWith(word);
}

/** The words of the rule in order; only options, each with at most one value, may be skipped before each of them. */
function subsequence(pattern: readonly WordPattern[], words: readonly string[]): boolean {
  return reachable(pattern, words).size > 0;
}

/** The places behind the words of the rule, for each way of finding them. */
function reachable(pattern: readonly WordPattern[], words: readonly string[]): Set<number> {
  let ends = new Set([0]);
  for (const word of pattern) {
    const next = new Set<number>();
    for (const start of ends)
      for (const at of starts(words, start)) if (word === "**" || globMatches(word, words[at] ?? "")) next.add(at + 1);
    ends = next;
  }
  return ends;
}

function isProgram(first: Glob, name: string): boolean {
  return first.literal === undefined ? globMatches(first, name) : programName(first.literal) === name;
}

function isFlag(word: WordPattern): boolean {
  return word !== "**" && (word.literal?.startsWith("-") ?? false);
}

function starts(words: readonly string[], start: number): number[] {
  const found: number[] = [];
  let at = start;
  let afterOption = false;
  for (; at < words.length; at += 1) {
    found.push(at);
    const option = words[at]?.startsWith("-") ?? false;
    if (!option && !afterOption) break;
    afterOption = option;
  }
  return found;
}

function matchWords(pattern: readonly WordPattern[], words: readonly string[]): boolean {
  return matchWithStars(
    pattern,
    words,
    (item) => item === "**",
    (item, word) => item !== "**" && globMatches(item, word),
  );
}

/** The words as the shell would cut them; a rule whose text is no plain command is cut at blanks. */
function wordsOf(text: string): (Word | string)[] {
  const script = parse(text);
  const command = script.commands[0]?.command;
  const plain =
    !script.errors?.length &&
    script.commands.length === 1 &&
    command?.type === "Command" &&
    command.redirects.length === 0 &&
    command.args.every((arg) => arg.type === "Word") &&
    command.prefix.every((part) => part.type === "Assignment" && part.value.type === "Word");
  if (!plain || command?.type !== "Command") return text.split(/\s+/);
  const prefix = command.prefix.map((part) => text.slice(part.pos, part.end));
  const name = command.name ? [command.name] : [];
  return [...prefix, ...name, ...command.args.flatMap((arg) => (arg.type === "Word" ? [arg] : []))];
}

function compileWord(word: Word | string): WordPattern {
  if (typeof word === "string") return word === "*" ? "**" : starGlob(word);
  if (word.text === "*" || word.text === "**") return "**";
  const parts = word.parts;
  if (!parts) return word.text.includes("*") ? starGlob(word.text) : literalGlob(word.value);
  return joinGlobs(parts.map(compilePart));
}

function compilePart(part: WordPart): Glob {
  switch (part.type) {
    case "Literal":
      return literalGlob(part.value);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return literalGlob(part.value);
    case "DoubleQuoted":
      return joinGlobs(part.parts.map((child) => literalGlob(child.type === "Literal" ? child.value : child.text)));
    case "Glob":
      return part.kind === "star" ? starGlob("*") : literalGlob(part.text);
    default:
      return starGlob(part.text);
  }
}

function starGlob(text: string): Glob {
  const pieces = text.split(/\*+/);
  return joinGlobs(
    pieces.flatMap((piece, index) => [
      ...(index > 0 ? [{ atoms: [{ kind: "star" as const }], literal: undefined }] : []),
      literalGlob(piece),
    ]),
  );
}

function joinGlobs(globs: readonly Glob[]): Glob {
  const atoms = globs.flatMap((glob) => glob.atoms);
  const literal = globs.every((glob) => glob.literal !== undefined)
    ? globs.map((glob) => glob.literal ?? "").join("")
    : undefined;
  return { atoms, literal };
}
