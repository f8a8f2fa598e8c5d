import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { wrapForModel } from "../../../../src/protocol/message.ts";
import type { ReplyBlock, TranscriptRecord } from "../../../../src/protocol/transcript.ts";
import { plainText } from "../../../../src/team/terminal/plainText.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { TerminalScreen } from "../../../../src/team/views/terminalScreen.ts";
import { itemText } from "../../../../src/team/views/terminalText.ts";

const at = "2026-11-27T10:00:00.000Z";
const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "alice", displayName: "alice", color: "green" },
]);

function reply(...content: ReplyBlock[]): TranscriptRecord {
  return { kind: "reply", at, model: "m", content, stopReason: "end_turn", usage };
}

function result(id: string, content: string, isError = false): TranscriptRecord {
  const block = { type: "tool_result" as const, tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
  return { kind: "tool_result", at, ms: 1_234, result: block };
}

/** A real terminal emulator beside the screen that writes to it. */
function open(columns = 60, keys?: string) {
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, scrollback: 500, allowProposedApi: true });
  const owner = { member: people("alice"), about: "general-purpose", people, cwd: "/p", ...(keys ? { keys } : {}) };
  const screen = new TerminalScreen(owner, columns);
  const write = (text: string) => new Promise<void>((done) => terminal.write(text, done));
  const cell = (line: number, column: number) => terminal.buffer.active.getLine(line)?.getCell(column);
  return {
    screen,
    terminal,
    write,
    cell,
    lines: () => {
      const buffer = terminal.buffer.active;
      const all = Array.from(
        { length: buffer.length },
        (_, n) => buffer.getLine(n)?.translateToString(true).trimEnd() ?? "",
      );
      return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
    },
  };
}

it.each([
  [999, "999 ms"],
  [1_234, "1.2 s"],
  [600_000, "10 min"],
  [5_400_000, "1 h"],
])("says how long a tool took as the panel does: %i ms", (ms, told) => {
  const tool = { type: "tool", at: 0, name: "Bash", argument: "make", state: "ok", ms, detail: "" } as const;
  expect(plainText(itemText(tool, 60))).toBe(`• Bash make ✓ ${told}\n`);
});

describe("a member's terminal", () => {
  it("keeps what was entered below the transcript until the member has taken it", async () => {
    const { screen, write, lines } = open(40);
    const said = (text: string): TranscriptRecord => ({
      ...{ kind: "input", at, origin: "mail" },
      content: [{ type: "text", text: wrapForModel([{ from: "user", text }]) }],
    });
    await write(screen.resize(40));
    await write(screen.add(reply({ type: "tool_use", id: "t", name: "Bash", input: { command: "sleep 9" } })));
    const long = `Mind the tabs, ${"and more ".repeat(8)}`;
    await write(screen.enter(long));
    await write(screen.enter("Then stop."));
    expect(lines().slice(-3)).toEqual(["› Then stop.", "• Bash sleep 9 …", "›"]);
    expect(lines().at(-4)).toMatch(/^› Mind the tabs, and more .*…$/);
    await write(screen.write("I go "));
    expect(lines().slice(-3)).toEqual(["› Then stop.", "I go", "›"]);
    await write(screen.write("on.\n"));
    await write(screen.resize(30));
    expect(lines().filter((line) => line.startsWith("› "))).toHaveLength(2);
    await write(screen.add(said(long)));
    expect(lines().filter((line) => line.startsWith("› "))).toEqual(["› Then stop."]);
    await write(screen.note("error", "alice is not a member.", "Then stop."));
    expect(lines().filter((line) => line.startsWith("› "))).toEqual([]);
    expect(lines().join("\n")).toMatch(/Mind the tabs, and more [\s\S]*alice is not a member\./);
  });

  it("keeps a line until the member has taken just that one from the person: others may say the same words", async () => {
    const { screen, write, lines } = open();
    const waiting = () => lines().filter((line) => line.startsWith("› "));
    const input = (origin: "mail" | "person", text: string): TranscriptRecord => ({
      ...{ kind: "input", at, origin },
      content: [{ type: "text", text }],
    });
    await write(screen.resize(60));
    await write(screen.enter("ok "));
    const peer = ["looks ok", "ok"].map((text) => ({ from: "team-lead", text }));
    await write(screen.add(input("mail", wrapForModel(peer))));
    await write(screen.add(input("person", "ok, and go on")));
    expect(waiting()).toEqual(["› ok"]);
    await write(screen.add(input("person", "ok ")));
    expect(waiting()).toEqual([]);
  });

  it("shows what a member thinks too, dim, also where its words were shown as they came", async () => {
    const { screen, write, lines, cell } = open();
    await write(screen.resize(60));
    await write(screen.write("Done."));
    const thinking = { type: "thinking" as const, thinking: "It is **easy**.\u001b[2J", signature: "s" };
    await write(screen.add(reply(thinking, { type: "text", text: "Done." })));
    expect(lines().filter((line) => /easy|Done/.test(line))).toEqual(["Done.", "It is **easy**."]);
    expect(cell(lines().indexOf("It is **easy**."), 0)?.isDim()).toBeTruthy();
    expect(cell(lines().indexOf("Done."), 0)?.isDim()).toBeFalsy();
  });

  it("shows the transcript as it grows: who wrote, the text, and one line for each call", async () => {
    const { screen, write, lines, cell } = open();
    await write(screen.resize(60));
    await write(
      screen.add({
        kind: "input",
        at,
        origin: "mail",
        content: [
          { type: "text", text: wrapForModel([{ from: "team-lead", summary: "start", text: "Add subtract." }]) },
        ],
      }),
    );
    await write(
      screen.add(
        reply(
          { type: "text", text: "I read the file." },
          { type: "tool_use", id: "t", name: "Read", input: { file_path: "/p/a.js" } },
        ),
      ),
    );
    expect(lines().slice(-2)).toEqual(["• Read a.js …", "›"]);
    await write(screen.add(result("t", "text")));
    await write(screen.add(reply({ type: "tool_use", id: "u", name: "Bash", input: { command: "npm test" } })));
    await write(screen.add(result("u", "The person denied it: not now", true)));
    expect(lines()).toEqual([
      "alice general-purpose",
      "",
      "team-lead: start",
      "  Add subtract.",
      "",
      "I read the file.",
      "• Read a.js ✓ 1.2 s",
      "• Bash npm test ✗ 1.2 s The person denied it: not now",
      "›",
    ]);
    expect(cell(0, 0)?.getFgColor()).toBe(2); // alice is green
  });

  it("shows a reply while it is written, wrapped at words, and prints it once", async () => {
    const text = "The first function adds two numbers, and the second one multiplies them.\nBoth are tested.";
    const { screen, write, lines } = open(40);
    await write(screen.resize(40));
    for (const piece of text.match(/.{1,7}/gs) ?? []) {
      await write(screen.write(piece));
      expect(lines().join(" ")).toContain(piece.trim().split(/\s/).at(-1));
    }
    await write(screen.add(reply({ type: "text", text })));
    await write(screen.write(null));
    const streamed = lines();
    expect(streamed).toEqual([
      "alice general-purpose",
      "The first function adds two numbers,",
      "and the second one multiplies them.",
      "Both are tested.",
      "›",
    ]);
    await write(screen.resize(40));
    expect(lines()).toEqual(streamed);
  });

  it("says so where a reply is void and starts again, and prints the new one whole", async () => {
    const { screen, write, lines } = open();
    await write(screen.write("Half of a"));
    await write(screen.write(null));
    await write(screen.write("A whole reply."));
    await write(screen.add(reply({ type: "text", text: "A whole reply." })));
    expect(lines()).toEqual(["Half of a", "The reply starts again.", "A whole reply.", "›"]);
  });

  it("keeps what was written of a reply that was interrupted, at another width too, and says that of nothing else", async () => {
    const { screen, write, lines } = open();
    await write(screen.resize(60));
    await write(screen.write("Half of an ans"));
    await write(screen.write(null));
    const cutOff = { ...reply({ type: "text", text: "Half" }), stopReason: null, incomplete: true } as TranscriptRecord;
    await write(screen.add(cutOff));
    await write(screen.add({ kind: "run_end", at, outcome: "aborted" }));
    const kept = ["alice general-purpose", "Half of an ans", "The reply was cut off here.", "Interrupted.", "›"];
    expect(lines()).toEqual(kept);
    await write(screen.resize(50));
    expect(lines()).toEqual(kept);

    await write(screen.write("Another half"));
    await write(screen.write(null));
    await write(screen.add({ kind: "run_end", at, outcome: "aborted" }));
    expect(lines().slice(4)).toEqual(["Another half", "Interrupted.", "›"]);
    await write(screen.resize(60));
    expect(lines().slice(4)).toEqual(["Another half", "Interrupted.", "›"]);
  });

  it("names no place where a reply was cut off of which nothing stands there", async () => {
    const { screen, write, lines } = open();
    await write(screen.add({ ...reply(), stopReason: null, incomplete: true } as TranscriptRecord));
    expect(lines()).toEqual(["The reply was cut off.", "›"]);
  });

  it("keeps what the person types below what arrives", async () => {
    const { screen, write, lines, terminal } = open(30);
    await write(screen.resize(30));
    await write(screen.type({ text: "use 研究 tabs", cursor: 4 }));
    expect(lines().at(-1)).toBe("› use 研究 tabs");
    expect(terminal.buffer.active.cursorX).toBe(6);
    await write(screen.add(reply({ type: "text", text: "Working on it." })));
    expect(lines()).toEqual(["alice general-purpose", "Working on it.", "› use 研究 tabs"]);
    await write(screen.type({ text: "x".repeat(100), cursor: 100 }));
    expect(lines().at(-1)).toBe(`› …${"x".repeat(25)}`);
    await write(screen.type({ text: "", cursor: 0 }));
    expect(lines().at(-1)).toBe("›");
  });

  it("paints Markdown as it grows, and prints the same at once", async () => {
    const { screen, write, lines, cell } = open(40);
    await write(screen.resize(40));
    const text = [
      "## What is **wrong**",
      "- `freePieces` rounds to the nearest number, so two are free",
      "  1. see [the table](src/table.js)",
      "> said the *lead*",
      "```js",
      "const a = **b**;",
      "```",
      "2 ** 3 and snake_case_word stay",
    ].join("\n");
    for (let n = 0; n < text.length; n += 3) await write(screen.write(text.slice(n, n + 3)));
    await write(screen.add(reply({ type: "text", text })));
    const shown = [
      "alice general-purpose",
      "What is wrong",
      "• freePieces rounds to the nearest",
      "  number, so two are free",
      "  1. see the table (src/table.js)",
      "│ said the lead",
      "```js",
      "const a = **b**;",
      "```",
      "2 ** 3 and snake_case_word stay",
      "›",
    ];
    expect(lines()).toEqual(shown);
    expect(cell(1, 0)?.isBold()).not.toBe(0);
    expect(cell(2, 2)?.getFgColor()).toBe(6);
    expect(cell(2, 14)?.getFgColor()).not.toBe(6);
    expect(cell(5, 11)?.isItalic()).not.toBe(0);
    await write(screen.resize(40));
    expect(lines()).toEqual(shown);
  });

  it("shows the end of a long line while it is being written, and all of it when it has ended", async () => {
    const { screen, write, lines } = open(30);
    await write(screen.resize(30));
    const words = Array.from({ length: 60 }, (_, n) => `word${n}`).join(" ");
    for (const word of words.split(/(?<= )/)) await write(screen.write(word));
    expect(lines()).toHaveLength(7);
    expect(lines().at(-2)).toContain("word59");
    await write(screen.write("\n"));
    expect(lines().join(" ").replace(/ ›$/, "")).toBe(`alice general-purpose ${words}`);
  });

  it("says which of its calls waits for a decision, and where that is made, and always offers a line to type into", async () => {
    const { screen, write, lines, cell } = open(40);
    const sentence = "Waits for a decision where the lead runs, in its window or terminal.";
    await write(screen.resize(40));
    expect(lines()).toEqual(["alice general-purpose", "›"]);
    const call = (id: string, command: string) => ({ type: "tool_use" as const, id, name: "Bash", input: { command } });
    await write(screen.add(reply(call("t", "ls"), call("u", "npm test"), call("v", "npm run build"))));
    await write(screen.add({ kind: "tool_start", at, toolUseId: "t", name: "Bash" }));
    await write(screen.waits(sentence));
    const waiting = [
      "• Bash npm test … (+2)",
      "  Waits for a decision where the lead",
      "  runs, in its window or terminal.",
      "›",
    ];
    expect(lines().slice(1)).toEqual(waiting);
    expect(cell(2, 2)?.getFgColor()).toBe(3);
    await write(screen.resize(40));
    expect(lines().slice(1)).toEqual(waiting);
    await write(screen.type({ text: "use node", cursor: 8 }));
    expect(lines().slice(-2)).toEqual(["  runs, in its window or terminal.", "› use node"]);
    await write(screen.type({ text: "", cursor: 0 }));
    await write(screen.waits(null));
    expect(lines().slice(1)).toEqual(["• Bash npm run build … (+2)", "›"]);
    for (const id of ["t", "u", "v"]) await write(screen.add(result(id, "")));
    await write(screen.write("All is "));
    expect(lines().slice(-2)).toEqual(["All is", "›"]);
  });

  it("says at its start what its keys do", async () => {
    const { screen, write, lines } = open(40, "You write to alice here: Enter sends, Esc or Ctrl-C interrupts.");
    await write(screen.resize(40));
    const head = ["alice general-purpose", "You write to alice here: Enter sends,", "Esc or Ctrl-C interrupts."];
    expect(lines()).toEqual([...head, "›"]);
    await write(screen.add(reply({ type: "text", text: "Hello." })));
    await write(screen.resize(41));
    expect(lines()).toEqual([...head, "Hello.", "›"]);
  });

  it("offers no line to type into when its member is gone", async () => {
    const { screen, write, lines } = open();
    await write(screen.resize(60));
    await write(screen.add({ kind: "run_end", at, outcome: "ended", reason: "It was ended." }));
    expect(lines().at(-1)).toBe("›");
    await write(screen.type(null));
    expect(lines().at(-1)).toBe("It was ended.");
    await write(screen.resize(40));
    expect(lines().at(-1)).toBe("It was ended.");
  });

  it.each([40, 200])("wraps text and cuts calls at %i columns, wide characters included", async (columns) => {
    const { screen, write, lines, terminal } = open(columns);
    await write(screen.resize(120));
    await write(
      screen.add(
        reply(
          { type: "text", text: "整理支付错误码对照表，".repeat(30) },
          { type: "tool_use", id: "t", name: "Bash", input: { command: `echo ${"研".repeat(300)}` } },
        ),
      ),
    );
    await write(screen.add(result("t", "")));
    await write(screen.resize(columns));
    const buffer = terminal.buffer.active;
    for (let n = 0; n < buffer.length; n += 1) expect(buffer.getLine(n)?.isWrapped).toBe(false);
    expect(lines().filter((line) => line.startsWith("•"))).toHaveLength(1);
    expect(lines().find((line) => line.startsWith("•"))).toMatch(/…✓ 1.2 s|… ✓ 1.2 s$/);
  });

  it.each([4, 8, 14, 20, 21, 30])("leaves no row behind that it wrote for a moment, at %i columns", async (columns) => {
    const { screen, write, lines } = open(columns);
    const long = "研究 the words of the person, which are many";
    const pieces = ["A reply that is written ", "in pieces, in more than one row", ".\n- next"];
    const tool = (id: string, name: string, input: Record<string, unknown>) =>
      reply({ type: "tool_use", id, name, input });
    const steps = [
      () => screen.type({ text: long, cursor: long.length }),
      () => screen.type({ text: long, cursor: 3 }),
      () => screen.enter(long),
      () => screen.type({ text: "", cursor: 0 }),
      ...pieces.map((piece) => () => screen.write(piece)),
      () => screen.add(reply({ type: "text", text: pieces.join("") })),
      () => screen.add(tool("t", "mcp__server__with_a_long_name", { path: long })),
      () => screen.add(tool("u", "Read", { file_path: "/p/a/long/path/to/a.js" })),
      () => screen.type({ text: "no", cursor: 2 }),
      () => screen.type({ text: "", cursor: 0 }),
      () => screen.add(result("t", "")),
      () => screen.add(result("u", "It is not there.", true)),
    ];
    await write(screen.resize(columns));
    for (const [at, step] of steps.entries()) {
      await write(step());
      const fresh = open(columns);
      await fresh.write(screen.resize(columns));
      expect(lines(), `step ${at}`).toEqual(fresh.lines());
    }
  });

  it("lets nothing that a model or a tool wrote control the terminal", async () => {
    const evil = "a\x1b[2J\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07b\x9b31mc\rd\x08\u202ee";
    const { screen, write, lines, terminal } = open();
    let title = "";
    terminal.onTitleChange((text) => {
      title = text;
    });
    await write(screen.resize(60));
    await write(screen.write(evil));
    await write(screen.write(null));
    await write(
      screen.add({
        kind: "input",
        at,
        origin: "mail",
        content: [{ type: "text", text: wrapForModel([{ from: `bob${evil}`, summary: evil, text: evil }]) }],
      }),
    );
    await write(
      screen.add(
        reply({ type: "text", text: evil }, { type: "tool_use", id: "t", name: `Ba${evil}`, input: { command: evil } }),
      ),
    );
    await write(screen.add(result("t", evil, true)));
    await write(screen.type({ text: evil, cursor: evil.length }));
    expect(title).toBe("");
    expect(lines()[0]).toBe("alice general-purpose");
    expect(lines().join("\n")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});
