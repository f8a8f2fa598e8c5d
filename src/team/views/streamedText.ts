import { plainText, splitStream } from "./terminalText.ts";

/** The reply that is being written into a terminal, printed line by line. */
export class StreamedText {
  private all = "";
  private rest = "";
  private ended = false;

  /** The part that is not printed yet: the last line. */
  get lastLine(): string {
    return this.rest;
  }

  /** Whether the stream said that it is over; what comes next decides whether it was a reply or void. */
  get isOver(): boolean {
    return this.ended;
  }

  end(): void {
    this.ended = true;
  }

  /** Adds a piece and gives the lines that will not change any more. */
  add(piece: string, width: number): string {
    const clean = plainText(piece);
    this.all += clean;
    const { lines, rest } = splitStream(this.rest + clean, width);
    this.rest = rest;
    return lines;
  }

  /** The lines of everything so far, for another width. */
  again(width: number): string {
    const { lines, rest } = splitStream(this.all, width);
    this.rest = rest;
    return lines;
  }

  /** Whether this is the text of a reply: wrapping changes blanks, so they do not count. */
  isReply(text: string): boolean {
    return squeeze(this.all) === squeeze(plainText(text));
  }

  /** The last line, ended. */
  finish(): string {
    return this.rest.trim() === "" ? "" : `${this.rest.trimEnd()}\r\n`;
  }
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
