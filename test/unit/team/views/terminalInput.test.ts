import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Clock } from "../../../../src/base/clock.ts";
import { PersonLines, type TypedLine } from "../../../../src/team/views/personLines.ts";
import { createTerminalInput } from "../../../../src/team/views/terminalInput.ts";
import { instantClock, stoppedClock } from "../../../support/manualClock.ts";

/** Types into a terminal as VS Code hands the keys over, one after another, and gives what became of it. */
const type = (...keys: string[]) => typeOn(instantClock(), keys);

/** The same, all within the time in which a key that was cut in two is put together. */
const typeAtOnce = (...keys: string[]) => typeOn(stoppedClock(), keys);

async function typeOn(clock: Clock, keys: readonly string[]) {
  const sent: string[] = [];
  let interrupts = 0;
  let line: TypedLine = { text: "", cursor: 0 };
  const events = {
    typed: (typed: TypedLine) => {
      line = typed;
    },
    entered: (text: string) => sent.push(text),
    interrupted: () => {
      interrupts += 1;
    },
  };
  const input = createTerminalInput(events, clock);
  for (const key of keys) {
    input.feed(key);
    await new Promise((resolve) => setTimeout(resolve, 1));
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
    for (const cut of [3, 5, 8, 12, 15]) {
      const paste = `${start}one\r${end}`;
      const sent = await type(paste.slice(0, cut), paste.slice(cut), "two", "\r");
      expect(sent).toMatchObject({ sent: ["one two"], interrupts: 0 });
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

  it.each([
    { key: "the last line again", whole: "\x1b[A", line: { text: "one", cursor: 3 } },
    { key: "the last line again, as other terminals say it", whole: "\x1bOA", line: { text: "one", cursor: 3 } },
    { key: "a word to the left", whole: "\x1b[A\x1b[1;5D", line: { text: "one", cursor: 0 } },
    { key: "a function key", whole: "x\x1b[[A", line: { text: "x", cursor: 1 } },
    { key: "a marked paste", whole: "\x1b[200~\x03two\r\x1b[201~", line: { text: "two ", cursor: 4 } },
  ])("hears no Esc and types nothing where a key is cut in two: $key", async ({ whole, line }) => {
    for (let cut = 1; cut < whole.length; cut += 1) {
      const heard = await typeAtOnce("one\r", whole.slice(0, cut), whole.slice(cut));
      expect(heard, `cut at ${cut}`).toEqual({ sent: ["one"], interrupts: 0, line });
    }
    expect(await typeAtOnce("one\r", ...whole)).toEqual({ sent: ["one"], interrupts: 0, line });
  });

  it("waits 50 ms for the rest of an Esc, and never with what follows it", async () => {
    const clock = stoppedClock();
    expect(await typeOn(clock, ["ab", "\x1b"])).toMatchObject({ interrupts: 0, line: { text: "ab" } });
    expect(clock.sleeps).toEqual([50]);
    expect(await typeAtOnce("\x1b", "[A", "cd", "\r")).toMatchObject({ sent: ["cd"], interrupts: 0 });
    expect(await typeAtOnce("\x1b", "\x03")).toMatchObject({ interrupts: 2 });
  });

  it("waits no longer for it where Esc is held down", async () => {
    const clock = stoppedClock();
    await typeOn(clock, ["\x1b", "\x1b", "\x1b"]);
    expect(clock.sleeps).toEqual([50]);
    expect(await type("\x1b\x1b\x1b")).toMatchObject({ interrupts: 3 });
  });

  it("hears no Esc once it was closed", async () => {
    const interrupted = vi.fn();
    const input = createTerminalInput({ typed() {}, entered() {}, interrupted }, instantClock());
    input.feed("\x1b");
    input.dispose();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(interrupted).not.toHaveBeenCalled();
  });

  it("stops no process at Ctrl-Z: what reads the keys may be the window's own", async () => {
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    expect(await type("a\x1ab", "\x1a", "\r")).toMatchObject({ sent: ["ab"] });
    expect(kill).not.toHaveBeenCalled();
  });
});

it("draws the end of a long typed line in one row, in which the cursor is seen, with a mark for its beginning", () => {
  const lines = new PersonLines();
  const text = `${"研究 🧪 ".repeat(20_000)}the end`;
  lines.typed = { text, cursor: text.length };
  expect(lines.typedRows(40)).toEqual(["› … 🧪 研究 🧪 研究 🧪 研究 🧪 the end"]);
  lines.typed = { text, cursor: text.length - 3 };
  expect(lines.typedRows(20)).toEqual(["› …🧪 研究 🧪 the \x1b7…\x1b8"]);
});
