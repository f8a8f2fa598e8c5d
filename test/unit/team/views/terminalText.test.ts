import { describe, expect, it } from "vitest";
import type { ConversationItem } from "../../../../src/protocol/panel.ts";
import { cells } from "../../../../src/team/terminal/cells.ts";
import { plainText } from "../../../../src/team/terminal/plainText.ts";
import { headText, itemText } from "../../../../src/team/views/terminalText.ts";

it("is not undone by a terminal that says it has no columns", () => {
  const item: ConversationItem = { type: "text", at: 0, text: "---\n\n- an item" };
  expect(plainText(itemText(item, -1)).replace(/\s/g, "")).toContain("anitem");
});

describe("a call that failed", () => {
  const failed = (name: string, argument: string, detail: string) =>
    ({ type: "tool", at: 0, name, argument, state: "failed", ms: 0, detail }) as const;
  const shown = (item: ReturnType<typeof failed>, columns: number) => plainText(itemText(item, columns)).trimEnd();

  it("says why behind it where there is room, and else below it, whole", () => {
    const denied = "The person denied this call and said: Please run node --test instead, npm is not installed here.";
    expect(shown(failed("Bash", "npm test", denied), 140)).toBe(`• Bash npm test ✗ 0 ms ${denied}`);
    expect(shown(failed("Bash", "npm test", "Interrupted: this call did not run."), 55)).toBe(
      "• Bash npm test ✗ 0 ms\n  Interrupted: this call did not run.",
    );
    expect(shown(failed("Bash", "npm test", denied), 40).split("\n")).toEqual([
      "• Bash npm test ✗ 0 ms",
      "  The person denied this call and said:",
      "  Please run node --test instead, npm is",
      "  not installed here.",
    ]);
  });

  it("shows of an output that has no room behind it one row, so that it does not read as a sentence", () => {
    const output = `not ok 1 - adds\n${"  expected 3\n".repeat(40)}Exit code 1`;
    expect(shown(failed("Bash", "npm test", output), 40).split("\n")).toEqual([
      "• Bash npm test ✗ 0 ms",
      "  not ok 1 - adds expected 3 expected 3…",
    ]);
  });

  it.each([12, 20, 27, 55, 79])("stays within %i columns, as every other line", (columns) => {
    const person = { role: "teammate", name: "n", displayName: `the-${"n".repeat(50)}`, color: "red" } as const;
    const items: ConversationItem[] = [
      failed("Bash", "npm test", `It says 研究员 ${"much ".repeat(50)}`),
      { ...failed("TaskUpdate", "#1 in progress alice", ""), state: "ok", ms: 59_900 },
      { ...failed(`mcp__${"x".repeat(60)}`, "a", ""), state: "running", ms: null },
      { ...failed("Edit", "/p/packages/client/src/retry.ts", ""), state: "ok", ms: 3 },
      {
        type: "text",
        at: 0,
        text: "# Head\n\n---\n\n- `item` one of the list\n```js\nconst a = 5;\n```\n> quoted text",
      },
      { type: "input", at: 0, origin: "mail", from: person, text: "- Stop what you do.", summary: "stop please" },
      { type: "note", at: 0, tone: "error", text: "The API refused the request: 研究员研究员" },
    ];
    const text = [...items.map((item) => itemText(item, columns)), headText(person, "sonnet", columns)].join("");
    for (const line of plainText(text).split("\n")) expect(cells(line), line).toBeLessThanOrEqual(columns);
  });
});
