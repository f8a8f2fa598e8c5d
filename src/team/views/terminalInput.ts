import { createInterface, type Interface, type Key } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { PasteReader } from "./pastes.ts";
import type { TypedLine } from "./personLines.ts";
import { createWholeKeys } from "./wholeKeys.ts";

/** What a person does in a member's terminal. */
export interface TerminalInputEvents {
  /** The line as it is typed. */
  typed(line: TypedLine): void;
  /** Enter on a line that is not blank. */
  entered(text: string): void;
  /** Esc or Ctrl-C. */
  interrupted(): void;
}

/**
 * Line editing, history and wide characters are readline's; what it would draw is left out. The terminal is to be asked
 * to mark what is pasted (`MARK_PASTES`).
 */
export interface TerminalInput extends Disposable {
  /** Keys as a terminal sends them, in whatever pieces. */
  feed(data: string): void;
}

/** Input for one terminal. Dispose to stop; what was typed and not entered is lost. */
export function createTerminalInput(events: TerminalInputEvents, clock: Clock = systemClock): TerminalInput {
  const keys = new PassThrough();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: keys, output: nowhere, terminal: true, prompt: "", escapeCodeTimeout: 50 });
  editor.on("line", (line) => {
    if (line.trim() !== "") events.entered(line);
  });
  editor.on("SIGINT", () => interrupt(editor, events));
  editor.on("SIGTSTP", () => undefined); // Ctrl-Z: unheard, readline would stop this process, and that may be the window's
  const tell = () => events.typed({ text: editor.line, cursor: editor.cursor });
  const interruptEach = (pressed: string) => {
    for (let left = pressed.length; left > 0; left -= 1) interrupt(editor, events);
  };
  keys.on("keypress", (_text: unknown, { sequence = "" }: Key) => {
    if (/^\x1b+\x03?$/.test(sequence)) interruptEach(sequence); // Esc came with other keys
    tell();
  });
  const press = (data: string) => {
    const kept = data.replaceAll("\x04", ""); // Ctrl-D would end the editor
    if (/^\x1b+$/.test(kept)) interruptEach(kept);
    else if (isText(kept))
      editor.write(plainPaste(kept)); // at once: as keys, a long text would take seconds
    else if (kept !== "") keys.write(plainPaste(kept));
  };
  const pastes = new PasteReader();
  const whole = createWholeKeys((data) => {
    for (const { text, pasted } of pastes.read(data)) {
      if (pasted) editor.write(oneLine(text));
      else press(text);
    }
    setImmediate(tell);
  }, clock);
  return {
    feed: whole.feed,
    dispose() {
      whole.dispose();
      editor.close();
      keys.destroy();
    },
  };
}

/** A typed line is thrown away first; with none, the member is interrupted. */
function interrupt(editor: Interface, events: TerminalInputEvents): void {
  if (editor.line === "") events.interrupted();
  else editor.write(null, { ctrl: true, name: "e" });
  editor.write(null, { ctrl: true, name: "u" });
}

/** Pasted: several characters that are no keys. */
function isText(data: string): boolean {
  return data.length > 1 && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(data);
}

/** What was pasted as a part of the typed line: a line end in it is no Enter, and nothing in it is a key. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, "");
}

/** A text from a terminal that does not mark what is pasted stays one line until Enter is pressed, or it ends with one. */
function plainPaste(data: string): string {
  if (data.length < 2 || data.startsWith("\x1b")) return data;
  return data.replace(/[\r\n]+(?!$)/g, " ");
}
