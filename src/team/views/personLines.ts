import { cells, characters } from "../terminal/cells.ts";
import { cut, plainText } from "../terminal/plainText.ts";

/** What the person types, and where the cursor is in it (in UTF-16 units). */
export interface TypedLine {
  text: string;
  cursor: number;
}

/** What the person writes in a member's terminal: the line that is typed, and those that the member has not taken yet. */
export class PersonLines {
  /** Null: nobody is there any more who would read it. */
  typed: TypedLine | null = { text: "", cursor: 0 };
  private readonly waiting: string[] = [];

  enter(text: string): void {
    this.waiting.push(text.trim());
  }

  /** The first line that waits and says just this waits no more: the transcript holds it, or it was refused. */
  take(words: string): void {
    const at = this.waiting.indexOf(words.trim());
    if (at >= 0) this.waiting.splice(at, 1);
  }

  /** The lines that wait, dim, each cut to one row; none where nobody will read them. */
  waitingRows(width: number): string[] {
    if (!this.typed) return [];
    return this.waiting.map((line) => `\x1b[2m› ${cut(plainText(line).replace(/\s+/g, " "), width - 2)}\x1b[0m`);
  }

  /** The typed line, cut so that the cursor is seen, with the cursor at its place; no row where nobody will read it. */
  typedRows(width: number): string[] {
    if (!this.typed) return [];
    const { text, cursor } = this.typed;
    if (text === "") return ["\x1b[2m›\x1b[0m "];
    const room = width - 3;
    const after = plainText(text.slice(cursor));
    const before = cutFront(plainText(text.slice(0, cursor)), after === "" ? room : room - 1); // a cell for a mark behind
    const behind = cut(after, Math.max(room - cells(before), 0));
    const head = `› ${before}`;
    return [behind === "" ? head : `${head}\x1b7${behind}\x1b8`];
  }
}

/** So many UTF-16 units of a text are looked at for each cell: a character may be made of many. */
const UNITS_PER_CELL = 16;

/** A text that fits into so many cells: its beginning is left out. */
function cutFront(text: string, room: number): string {
  if (text.length <= room * UNITS_PER_CELL && cells(text) <= room) return text;
  let used = 1;
  let kept = "";
  for (const segment of [...characters(text.slice(-room * UNITS_PER_CELL))].reverse()) {
    used += cells(segment);
    if (used > room) break;
    kept = segment + kept;
  }
  return room < 1 ? "" : `…${kept}`;
}
