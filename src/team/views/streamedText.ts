import { plainText } from "../terminal/plainText.ts";
import { createTerminalMarkdown } from "./terminalMarkdown.ts";
import { terminalRows } from "./terminalText.ts";

/** Rows of the line that is being written which are shown: the last ones. */
const OPEN_ROWS = 5;

/** The reply that is being written into a terminal: a line is printed for good when it has ended. */
export class StreamedText {
  private all = "";
  private line = "";
  private markdown = createTerminalMarkdown();
  private ended = false;

  /** Whether there is no line that is being written. */
  get isBetweenLines(): boolean {
    return this.line.trim() === "";
  }

  /** Whether the stream said that it is over; what comes next decides whether it was a reply or void. */
  get isOver(): boolean {
    return this.ended;
  }

  /** Everything so far. */
  get text(): string {
    return this.all;
  }

  end(): void {
    this.ended = true;
  }

  /** Adds a piece and gives the lines that have ended with it. */
  add(piece: string, width: number): string {
    const clean = plainText(piece);
    this.all += clean;
    const lines = (this.line + clean).split("\n");
    this.line = lines.pop() ?? "";
    return terminalRows(lines.flatMap((line) => this.markdown.rows(line, width)));
  }

  /** The last rows of the line that is being written. */
  openRows(width: number): string[] {
    return this.markdown.peek(this.line, width).slice(-OPEN_ROWS);
  }

  /** The lines of everything so far, for another width. */
  again(width: number): string {
    const all = this.all;
    this.all = "";
    this.line = "";
    this.markdown = createTerminalMarkdown();
    return this.add(all, width);
  }

  /** Whether this is the text of a reply: blanks do not count. */
  isReply(text: string): boolean {
    return squeeze(this.all) === squeeze(plainText(text));
  }

  /** The last line, ended. */
  finish(width: number): string {
    return this.isBetweenLines ? "" : terminalRows(this.markdown.rows(this.line.trimEnd(), width));
  }
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
