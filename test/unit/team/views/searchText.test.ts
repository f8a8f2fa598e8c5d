import { describe, expect, it } from "vitest";
import type { ConversationItem } from "../../../../src/protocol/panel.ts";
import { findIn, plainMarkdown, searchTexts } from "../../../../src/team/views/searchText.ts";

const text = (words: string): ConversationItem => ({ type: "text", at: 0, text: words });
const tool: ConversationItem = {
  type: "tool",
  at: 0,
  name: "Edit",
  argument: "src/retry.ts",
  state: "ok",
  ms: 1,
  detail: "Changed retry.ts",
  diff: {
    path: "src/retry.ts",
    lines: [
      { kind: "removed", line: 1, text: "retry(1)" },
      { kind: "added", line: 1, text: "retry(2); retry(3)" },
    ],
    added: 1,
    removed: 1,
    omitted: 0,
  },
};

describe("the search in a conversation", () => {
  it("counts matches in every kind of item, without regard to case and blanks", () => {
    const items = [text("A  Retry\nhere."), text("none"), tool, { ...tool, state: "failed" as const }];
    expect(findIn(items, "retry", searchTexts())).toEqual({
      matches: [
        { seq: 0, count: 1 },
        { seq: 2, count: 4 },
        { seq: 3, count: 5 },
      ],
      total: 10,
    });
    expect(findIn(items, "retry here", searchTexts()).total).toBe(1);
  });

  it("finds nothing for blanks", () => {
    expect(findIn([text("a b")], "  ", searchTexts())).toEqual({ matches: [], total: 0 });
  });

  it("bounds what it tells, and still counts all", () => {
    const items = Array.from({ length: 5_000 }, () => text("x"));
    const { matches, total } = findIn(items, "x", searchTexts());
    expect([matches.length, total]).toEqual([2_000, 5_000]);
  });

  it.each([
    ["**bold** and *slanted* _too_, ~~gone~~", "bold and slanted too, gone"],
    ["# Title\n\n- one\n2. two\n> said", "Title\n\none\ntwo\nsaid"],
    ["[the docs](https://example.com/a_b) and ![a picture](x.png)", "the docs and a picture"],
    ["`a_b_c` and ``x ` y``", "a_b_c and x ` y"],
    ["snake_case_name and 2*3*4", "snake_case_name and 234"],
    ["before\n```ts\nconst **x** = `a`;\n```\nafter", "before\n\nconst **x** = `a`;\n\n\nafter"],
  ])("reads %j without the marks", (markdown, plain) => {
    expect(plainMarkdown(markdown).replace(/\s+/g, " ").trim()).toBe(plain.replace(/\s+/g, " "));
  });
});
