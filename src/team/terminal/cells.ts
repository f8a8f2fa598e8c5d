import stringWidth from "fast-string-width";
import { wrapAnsi } from "fast-wrap-ansi";

/** How many cells of a terminal a text takes; its control sequences take none, and joined emoji as much as one. */
export function cells(text: string): number {
  return stringWidth(text) + (PLAIN.test(text) ? 0 : (text.match(COUNTED_SHORT)?.length ?? 0));
}

/** What a person calls the characters of a text, as far as marks, joiners and pairs tell. */
export function characters(text: string): string[] {
  return text.match(CHARACTER) ?? [];
}

interface WrapOptions {
  trim?: boolean;
  wordWrap?: boolean;
}

/** A painted row as far as it fits into so many cells. */
export function clipped(row: string, columns: number): string {
  if (cells(row) <= columns) return row;
  return wrap(row, columns, { trim: false, wordWrap: false }).split("\n", 1)[0] ?? "";
}

/**
 * A text in rows of at most `columns` cells, separated by new lines; a word that is longer is broken between characters.
 * `trim` false: blanks at the front of a line stay. `wordWrap` false: words are broken, too. Colours go on in the next row.
 */
export function wrap(text: string, columns: number, options: WrapOptions = {}): string {
  const spaced = text.includes("\t") ? text.split("\n").map(withoutTabs).join("\n") : text;
  const wrapped = (given: string) => wrapAnsi(given, Math.max(columns, 1), { hard: true, ...options });
  if (PLAIN.test(spaced)) return wrapped(spaced);
  const { stood, held } = withStandIns(spaced.normalize());
  return wrapped(stood).replace(STAND_IN, (one) => held[placeOf(one)] ?? one);
}

const PLAIN = /^[\n -~]*$/;
/** Marks that take a cell of their own, and the syllables of Yi, which take two: the library counts one less. */
const COUNTED_SHORT = /[\p{Mc}\u{A000}-\u{A4CF}]/gu;
/** Several code points that are one character: flags; a letter with marks; emoji with their tones, and joined ones. */
const CLUSTER = String.raw`\p{RI}{2}|[^\p{M}\s\x1b](?:[\p{M}\u200b-\u200d\u2060\ufeff]|\p{Emoji_Modifier}|(?<=\u200d)[^\p{M}\s\x1b])+`;
const CHARACTER = new RegExp(`${CLUSTER}|[^]`, "gu");

/** Code points that nobody means anything with, which take one cell and two. */
const NARROW = 0xe000;
const WIDE = 0x33000;
const STAND_INS = 6_400;
const STAND_IN = /[\u{E000}-\u{F8FF}\u{33000}-\u{348FF}]/gu;
const HELD = new RegExp(`${CLUSTER}|[\\u{A000}-\\u{A4CF}\\u{E000}-\\u{F8FF}\\u{33000}-\\u{348FF}]`, "gu");

/**
 * The text with one code point, of the right width, for each character that the library would break or count too short:
 * what each stands for is in `held`, at its place. The third cell and more of a character stand for nothing.
 */
function withStandIns(text: string): { stood: string; held: string[] } {
  const held: string[] = [];
  const hold = (character: string, width: number) =>
    held.length < STAND_INS
      ? String.fromCodePoint((width === 1 ? NARROW : WIDE) + held.push(character) - 1)
      : character;
  const stood = text.replace(HELD, (character) => {
    const width = cells(character);
    if (width === 0) return character;
    const more = Array.from({ length: Math.max(width - 2, 0) }, () => hold("", 1));
    return hold(character, width) + more.join("");
  });
  return { stood, held };
}

function placeOf(standIn: string): number {
  const code = standIn.codePointAt(0) ?? 0;
  return code >= WIDE ? code - WIDE : code - NARROW;
}

/** A tab reaches to the next multiple of eight cells. */
function withoutTabs(line: string): string {
  const [first = "", ...others] = line.split("\t");
  let text = first;
  let width = cells(first);
  for (const part of others) {
    const blanks = 8 - (width % 8);
    text += " ".repeat(blanks) + part;
    width += blanks + cells(part);
  }
  return text;
}
