import { stripVTControlCharacters } from "node:util";
import { cells, characters } from "./cells.ts";

/** Text without escape sequences and control characters; new lines and tabs stay. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(CONTROLS, "");
}

/** C0 and C1 controls but new line and tab, and what changes the direction of text. */
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One line that fits into `columns` cells: its end is left out. */
export function cut(text: string, columns: number): string {
  if (cells(text) <= columns) return text;
  let used = 1;
  let kept = "";
  for (const segment of characters(text)) {
    used += cells(segment);
    if (used > columns) break;
    kept += segment;
  }
  return columns < 1 ? "" : `${kept}…`;
}
