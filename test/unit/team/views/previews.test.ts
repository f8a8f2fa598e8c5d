import { describe, expect, it } from "vitest";
import {
  editTexts,
  previewOf,
  requestTitle,
  requestWarnings,
  sharedEditWarnings,
} from "../../../../src/team/views/previews.ts";

function call(tool: string, input: Record<string, unknown>, parts: { text: string; covered: boolean }[] | null = null) {
  return { tool, input, parts, cwd: "/p" };
}

describe("what a call will do", () => {
  it("is the whole command, in its folder, with its parts", () => {
    const parts = [{ text: "npm test", covered: false }];
    expect(previewOf(call("Bash", { command: "npm test" }, parts), null)).toEqual({
      type: "command",
      cwd: "/p",
      text: "npm test",
      parts,
    });
  });

  it("is the change of an edit against the file, with the file's line numbers", () => {
    const current = `${Array.from({ length: 10 }, (_, n) => `line ${n + 1}`).join("\n")}\n`;
    const edit = call("Edit", { file_path: "/p/a.js", old_string: "line 6\n", new_string: "six $& six\nand more\n" });
    expect(previewOf(edit, current)).toEqual({
      type: "edit",
      path: "/p/a.js",
      added: 2,
      removed: 1,
      omitted: 0,
      lines: [
        { kind: "context", line: 3, text: "line 3" },
        { kind: "context", line: 4, text: "line 4" },
        { kind: "context", line: 5, text: "line 5" },
        { kind: "removed", line: 6, text: "line 6" },
        { kind: "added", line: 6, text: "six $& six" },
        { kind: "added", line: 7, text: "and more" },
        { kind: "context", line: 8, text: "line 7" },
        { kind: "context", line: 9, text: "line 8" },
        { kind: "context", line: 10, text: "line 9" },
      ],
    });
  });

  it("is every replacement where all are asked for, and of several only the part where one is: that is refused", () => {
    const input = { file_path: "a", old_string: "x", new_string: "y" };
    expect(editTexts(call("Edit", { ...input, replace_all: true }), "x x")?.after).toBe("y y");
    expect(editTexts(call("Edit", input), "x x")).toEqual({ path: "a", before: "x", after: "y" });
    expect(editTexts(call("Edit", input), "x z")?.after).toBe("y z");
  });

  it("is what the tool makes of a file with other line ends", () => {
    const current = "one\r\ntwo\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\none\r\ntwo\r\n";
    const input = { file_path: "a", old_string: "one\ntwo", new_string: "one\nTWO", replace_all: true };
    expect(editTexts(call("Edit", input), current)?.after).toBe(current.replaceAll("two", "TWO"));
    const changed = (kind: string) => ({ kind, text: expect.not.stringContaining("\r") });
    const preview = previewOf(call("Edit", input), current);
    expect(preview).toMatchObject({ type: "edit", added: 2, removed: 2 });
    expect(preview.type === "edit" && preview.lines.filter(({ kind }) => kind === "added")).toMatchObject([
      { ...changed("added"), line: 2 },
      { ...changed("added"), line: 10 },
    ]);
    const write = call("Write", { file_path: "a", content: current.replaceAll("\r\n", "\n").replace("3", "three") });
    expect(editTexts(write, current)?.after).toBe(current.replace("3", "three"));
    expect(previewOf(write, current)).toMatchObject({ added: 1, removed: 1 });
  });

  it("is only the replaced text where the file does not hold it", () => {
    const edit = call("Edit", { file_path: "a", old_string: "gone", new_string: "new" });
    expect(editTexts(edit, "something else")).toEqual({ path: "a", before: "gone", after: "new" });
    expect(editTexts(edit, null)).toEqual({ path: "a", before: "gone", after: "new" });
  });

  it("is a whole new file, or all that replaces one", () => {
    const write = call("Write", { file_path: "/p/new.js", content: "a\nb" });
    expect(previewOf(write, null)).toMatchObject({ type: "edit", added: 2, removed: 0 });
    expect(previewOf(write, "a\nc")).toMatchObject({ added: 1, removed: 1 });
  });

  it("is bounded: a huge file's first lines, and how many are left out", () => {
    const content = Array.from({ length: 50_000 }, (_, n) => `line ${n}`).join("\n");
    const preview = previewOf(call("Write", { file_path: "big", content }), null);
    expect(preview).toMatchObject({ type: "edit", added: 50_000, omitted: 48_000 });
  });

  it.each([
    ["one line", 1, "x".repeat(1_000_000), 0],
    ["long lines", 1_000, "文字".repeat(500), 64],
  ])("is bounded: of %s as many as have room in one message", (_, count, line, shown) => {
    const content = Array.from({ length: count }, () => line).join("\n");
    const preview = previewOf(call("Write", { file_path: "big", content }), null);
    expect(preview).toMatchObject({ type: "edit", added: count, omitted: count - shown });
    expect(preview.type === "edit" && preview.lines).toHaveLength(shown);
    expect(Buffer.byteLength(JSON.stringify(preview))).toBeLessThan(256 * 1024);
  });

  it("is the input as JSON for every other tool, and for input that is not as it should be", () => {
    expect(previewOf(call("WebFetch", { url: "https://example.com" }), null)).toEqual({
      type: "json",
      text: '{\n  "url": "https://example.com"\n}',
    });
    expect(previewOf(call("Bash", { command: 7 }), null)).toMatchObject({ type: "json" });
    expect(previewOf(call("Edit", { file_path: "a" }), "x")).toMatchObject({ type: "json" });
  });

  it("is bounded: the beginning of a huge input, and how many characters are left out", () => {
    const input = { prompt: "x".repeat(250_000), last: "end" };
    const whole = JSON.stringify(input, null, 2);
    const preview = previewOf(call("Task", input), null);
    expect(preview).toEqual({ type: "json", text: whole.slice(0, 100_000), omitted: whole.length - 100_000 });
  });
});

describe("the title of a request", () => {
  it.each([
    [call("Bash", { command: "npm test" }), "Run npm test"],
    [
      call("Bash", { command: "cd a && psql b" }, [
        { text: "cd a", covered: true },
        { text: "psql b", covered: false },
      ]),
      "Run psql b",
    ],
    [call("Bash", { command: `A=1 curl ${"x".repeat(60)}` }), "Run curl"],
    [call("Edit", { file_path: "/p/src/retry.ts" }), "Edit retry.ts"],
    [call("Write", { file_path: "C:\\p\\new.ts" }), "Write new.ts"],
    [call("WebFetch", { url: "https://example.com" }), "Fetch https://example.com"],
    [call("Bash", {}), "Run a command"],
    [call("Task", { name: "theo", description: "Mend the table", prompt: "…" }), "Spawn theo"],
  ])("%j", (request, title) => {
    expect(requestTitle(request)).toBe(title);
  });
});

describe("invisible characters", () => {
  it("are found, named and counted", () => {
    expect(requestWarnings(call("Bash", { command: "curl https://a.\u200Bb" }))).toEqual([
      "Contains 1 invisible character: ⟨U+200B⟩.",
    ]);
    const deep = { query: { list: ["plain", { "na\u00ADme": 1 }, ["a\u202Eb"]] } };
    expect(requestWarnings(call("mcp__files__find", deep))).toEqual([
      "Contains 2 invisible characters: ⟨U+00AD⟩, ⟨U+202E⟩.",
    ]);
    expect(requestWarnings(call("Bash", { command: "npm test\n\techo ok 研究员 👩‍💻 ❤️" }))).toEqual([]);
  });
});

describe("a file that others have changed", () => {
  it.each([
    { others: [], line: [] },
    { others: ["ann"], line: ["ann has changed this file too."] },
    { others: ["ann", "研究员"], line: ["ann and 研究员 have changed this file too."] },
    { others: ["ann", "bob", "cleo"], line: ["ann and 2 other members have changed this file too."] },
  ])("is told of in one line: $others", ({ others, line }) => {
    expect(sharedEditWarnings(others)).toEqual(line);
  });
});
