import { createInterface, type Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import type { Disposable } from "../../base/disposable.ts";
import type { TypedLine } from "./personLines.ts";

/** What a person does in a member's terminal. */
export interface TerminalInputEvents {
  /** The line as it is typed. */
  typed(line: TypedLine): void;
  /** Enter on a line that is not blank. */
  entered(text: string): void;
  /** Esc or Ctrl-C. */
  interrupted(): void;
}

/** Line editing, history and wide characters are readline's; what it would draw is left out. */
export interface TerminalInput extends Disposable {
  /** Keys as a terminal sends them. */
  feed(data: string): void;
}

/** Input for one terminal. Dispose to stop; what was typed and not entered is lost. */
export function createTerminalInput(events: TerminalInputEvents): TerminalInput {
  const keys = new PassThrough();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const editor = createInterface({ input: keys, output: nowhere, terminal: true, prompt: "", escapeCodeTimeout: 50 });
  editor.on("line", (line) => {
    if (line.trim() !== "") events.entered(line);
  });
  editor.on("SIGINT", () => interrupt(editor, events));
  const tell = () => events.typed({ text: editor.line, cursor: editor.cursor });
  keys.on("keypress", tell);
  return {
    feed(data) {
      if (data === "\x1b") interrupt(editor, events);
      else if (data !== "\x04") keys.write(plainPaste(data)); // Ctrl-D would end the editor
      setImmediate(tell);
    },
    dispose() {
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

/** A pasted text stays one line until Enter is pressed. */
function plainPaste(data: string): string {
  if (data.length < 2 || data.startsWith("\x1b")) return data;
  return data.replace(/[\r\n]+(?!$)/g, " ");
}
