const START = "\x1b[200~";
const END = "\x1b[201~";
/** What a program writes to a terminal that is to mark what is pasted ("bracketed paste"), and when it no longer reads. */
export const MARK_PASTES = "\x1b[?2004h";
export const MARK_NO_PASTES = "\x1b[?2004l";

/** A part of what a terminal sent: keys, or a text that was pasted. */
export interface TerminalPart {
  text: string;
  pasted: boolean;
}

/** Tells what was pasted from what was typed, in a terminal that marks it. */
export class PasteReader {
  private inPaste = false;
  private rest = "";

  /** Parts in the order they came in; a mark or a text that is cut in two between two chunks is put together. */
  read(chunk: string): TerminalPart[] {
    const parts: TerminalPart[] = [];
    let data = this.rest + chunk;
    for (;;) {
      const mark = this.inPaste ? END : START;
      const at = data.indexOf(mark);
      if (at === -1) break;
      parts.push({ text: data.slice(0, at), pasted: this.inPaste });
      data = data.slice(at + mark.length);
      this.inPaste = !this.inPaste;
    }
    // Esc and `[` are keys too, outside of what is pasted
    const kept = data.length - (this.inPaste ? beginOf(END, data, 1) : beginOf(START, data, 3));
    this.rest = data.slice(kept);
    parts.push({ text: data.slice(0, kept), pasted: this.inPaste });
    return parts.filter(({ text }) => text !== "");
  }
}

/** How many characters at the end of `data` begin this mark; fewer than `least` do not count. */
function beginOf(mark: string, data: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length -= 1)
    if (data.endsWith(mark.slice(0, length))) return length;
  return 0;
}
