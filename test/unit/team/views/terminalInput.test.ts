import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PersonLines, type TypedLine } from "../../../../src/team/views/personLines.ts";
import { createTerminalInput } from "../../../../src/team/views/terminalInput.ts";

/** Types into a terminal as VS Code hands the keys over, and gives what became of it. */
async function type(...keys: string[]) {
  const sent: string[] = [];
  let interrupts = 0;
  let line: TypedLine = { text: "", cursor: 0 };
  const input = createTerminalInput({
    typed: (typed) => {
      line = typed;
    },
    entered: (text) => sent.push(text),
    interrupted: () => {
      interrupts += 1;
    },
  });
  for (const key of keys) {
    input.feed(key);
    await new Promise((resolve) => setTimeout(resolve, key.includes("\x1b") ? 80 : 1));
  }
  input.dispose();
  return { sent, interrupts, line };
}

describe("a member's terminal takes input", () => {
  it("sends a line on Enter and starts a new one", async () => {
    expect(await type("u", "s", "e", " ", "研", "\r", "x")).toEqual({
      sent: ["use 研"],
      interrupts: 0,
      line: { text: "x", cursor: 1 },
    });
  });

  it("sends no blank line", async () => {
    expect((await type(" ", "\r", "\r")).sent).toEqual([]);
  });

  it("edits the line: backspace, arrows, and the last line again", async () => {
    expect((await type("a", "b", "c", "\x7f", "\x1b[D", "X")).line).toEqual({ text: "aXb", cursor: 2 });
    expect((await type("one", "\r", "\x1b[A")).line).toEqual({ text: "one", cursor: 3 });
  });

  it.each(["\x1b", "\x03"])("interrupts the member on %j, but first throws a typed line away", async (key) => {
    expect(await type(key)).toMatchObject({ interrupts: 1 });
    expect(await type("a", "b", key)).toMatchObject({ interrupts: 0, line: { text: "", cursor: 0 } });
    expect(await type("a", key, key)).toMatchObject({ interrupts: 1, sent: [] });
  });

  it("takes a long text that is pasted in one step, however many keys it would be", async () => {
    const text = "研究 and 🧪\t".repeat(3_000);
    const lines: string[] = [];
    const input = createTerminalInput({ typed: ({ text: now }) => lines.push(now), entered() {}, interrupted() {} });
    input.feed(text);
    await vi.waitFor(() => expect(lines).toEqual([text]));
    input.dispose();
  });

  it("keeps a pasted text in one line until Enter", async () => {
    expect(await type("first\r\nsecond\nthird")).toMatchObject({ sent: [], line: { text: "first second third" } });
    expect(await type("first\nsecond", "\r")).toMatchObject({ sent: ["first second"] });
  });

  it("sends nothing of what is pasted before Enter, and takes no key from it, where the terminal marks it", async () => {
    const [start, end] = ["\x1b[200~", "\x1b[201~"];
    expect(await type(`${start}first\r\nsecond\n${end}`)).toMatchObject({ sent: [], line: { text: "first second " } });
    expect(await type(`a${start}b${end}c`)).toMatchObject({ line: { text: "abc" } });
    expect(await type("a", `${start}\x03b\x1b[Ac\r${end}d`, "\r")).toMatchObject({
      sent: ["ab[Ac d"],
      interrupts: 0,
    });
    for (const cut of [2, 3, 5, 8, 12, 15]) {
      const paste = `${start}one\r${end}`;
      const sent = await type(paste.slice(0, cut), paste.slice(cut), "two", "\r");
      if (cut > 2) expect(sent).toMatchObject({ sent: ["one two"], interrupts: 0 }); // Esc and "[" are keys, too
    }
  });

  it("lives on after Ctrl-D, also where several keys come at once", async () => {
    expect(await type("\x04", "a", "\x04", "b", "\r")).toMatchObject({ sent: ["ab"] });
    expect(await type("\x04\x04", "a\x04", "\x04b\x04", "\r")).toMatchObject({ sent: ["ab"] });
  });

  it("hears Esc and Ctrl-C as often as they are pressed, also where several keys come at once", async () => {
    expect(await type("\x1b\x1b")).toMatchObject({ interrupts: 2 });
    expect(await type("\x03\x03")).toMatchObject({ interrupts: 2 });
    expect(await type("ab\x1b")).toMatchObject({ interrupts: 0, line: { text: "", cursor: 0 } });
    expect(await type("ab\x1b\x1b")).toMatchObject({ interrupts: 1, sent: [], line: { text: "", cursor: 0 } });
  });

  it("stops no process at Ctrl-Z: what reads the keys may be the window's own", async () => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    expect(await type("a\x1ab", "\x1a", "\r")).toMatchObject({ sent: ["ab"] });
    expect(kill).not.toHaveBeenCalled();
  });
});

it("draws the end of a long typed line in one row, in which the cursor is seen", () => {
  const lines = new PersonLines();
  const text = `${"研究 🧪 ".repeat(20_000)}the end`;
  lines.typed = { text, cursor: text.length };
  expect(lines.typedRow(40)).toBe("› 究 🧪 研究 🧪 研究 🧪 研究 🧪 the end");
  lines.typed = { text, cursor: text.length - 3 };
  expect(lines.typedRow(20)).toBe("›  🧪 研究 🧪 the \x1b7…\x1b8");
});
