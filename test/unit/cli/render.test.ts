import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import { makeStyle } from "../../../src/cli/render/style.ts";
import { renderTable, usableWidth } from "../../../src/cli/render/table.ts";
import { visibleLine, visibleText } from "../../../src/cli/render/visibleText.ts";
import { wrapPainted, wrapProse, wrapText } from "../../../src/cli/render/wrapText.ts";

const plain = makeStyle(false);
const columns = [
  { title: "NAME", flexible: true },
  { title: "N", right: true },
  { title: "SUBJECT", flexible: true },
];

describe("text from files", () => {
  test("shows what a terminal would act on instead of sending it there", () => {
    expect(visibleText("a\x1b[31mred\x07\n\tb")).toBe("a\\x1b[31mred\\x07\n\tb");
    expect(visibleText("rm \u202e fr\u200b\u{e0041}\u009b")).toBe("rm \\u202e fr\\u200b\\u{e0041}\\x9b");
    expect(visibleText("overwritten\rshown")).toBe("overwritten\\x0dshown");
    expect(visibleLine("one\ntwo\tthree ")).toBe("one ⏎ two three");
    expect(visibleText("研究员 👩🏽 👩🏽\u200d💻 é")).toBe("研究员 👩🏽 👩🏽\u200d💻 é");
    expect(visibleText("👩🏽\u200d b\u200d👩")).toBe("👩🏽\\u200d b\\u200d👩");
  });

  test("is wrapped by cells and indented", () => {
    expect(wrapText("研究员研究员 ab", 10, "  ")).toBe("  研究员研\n  究员 ab");
    expect(wrapText("a b c", Number.POSITIVE_INFINITY, "> ")).toBe("> a b c");
    expect(wrapText("abcd efgh\n  ij kl", 8, "| ")).toBe("| abcd\n| efgh\n|   ij\n| kl");
    expect(wrapText("abcdef gh", 8, "| ")).toBe("| abcdef\n| gh");
  });
});

describe("prose", () => {
  test.each([
    ["- one two three\n- four", "- one two\n    three\n  - four"],
    ["12. one two three", "12. one two\n      three"],
    ["  - one two three", "  - one two\n      three"],
    ["one two three four", "one two three\n  four"],
    ["-one two three four", "-one two three\n  four"],
    ["* \u001b one two three", "* \\x1b one two\n    three"],
    ["          one two", "          one\n  two"], // so deep that no room would be left
    ["", ""],
  ])("%j goes on below its first word", (text, wrapped) => {
    expect(wrapProse(text, 16, "  ")).toBe(wrapped === "" ? "" : `  ${wrapped}`);
    expect(wrapProse(text, Number.POSITIVE_INFINITY, "  ")).toBe(wrapText(text, Number.POSITIVE_INFINITY, "  "));
  });
});

describe("a line of ours", () => {
  test("goes on indented where it is too long, and keeps its colours", () => {
    expect(wrapPainted("task #1 Mend it in progress (bob)\n  short", 20)).toBe(
      "task #1 Mend it in\n  progress (bob)\n  short",
    );
    expect(wrapPainted("    Mend the table now", 16)).toBe("    Mend the\n      table now");
    const painted = wrapPainted(makeStyle(true).good("completed by all of them"), 16);
    expect(painted.split("\n").map((line) => stringWidth(line) <= 16 && line.includes("\x1b[32m"))).toEqual([
      true,
      true,
    ]);
    expect(wrapPainted("a b c", Number.POSITIVE_INFINITY)).toBe("a b c");
  });
});

describe("a table", () => {
  test("aligns by cells, numbers to the right, without blanks at the end", () => {
    expect(
      renderTable(
        columns,
        [
          ["研究员", "7", "x"],
          ["al", "12", "yy"],
        ],
        80,
        plain,
      ),
    ).toBe("NAME     N  SUBJECT\n研究员   7  x\nal      12  yy");
  });

  test.each([25, 40, 80, 200])("fits into %i columns by cutting what may be cut", (width) => {
    const rows = [
      ["n".repeat(120), "1", "研".repeat(200)],
      ["b", "123", "short"],
    ];
    const lines = renderTable(columns, rows, usableWidth(width), plain).split("\n");
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(lines[1]).toContain("…");
    expect(lines[2]).toContain("short");
  });

  test.each([20, 30])("stands in lines below its first cell, which is whole, where %i columns are too few", (width) => {
    const team = { title: "TEAM" };
    const name = "the-kitchen-of-the-corner-bakery";
    const text = renderTable(
      [team, { title: "STATE" }, { title: "MEMBERS", right: true }, { title: "SINCE" }],
      [
        [name, { text: "not live", paint: (shown) => shown }, "3", "2026-11-30 12:13"],
        ["b", "live", "1", "-"],
      ],
      width,
      plain,
    );
    const lines = text.split("\n");
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width);
    expect(text).not.toContain("…");
    expect(text.replace(/\s+/g, "")).toContain(name);
    const below = width === 30 ? ["  STATE live  MEMBERS 1", "  SINCE -"] : ["  STATE live", "  MEMBERS 1  SINCE -"];
    expect(lines.slice(-3)).toEqual(["b", ...below]);
  });

  test("is never cut where there is no terminal", () => {
    expect(renderTable(columns, [["x".repeat(500), "1", "y"]], usableWidth(undefined), plain)).toContain(
      "x".repeat(500),
    );
    expect([usableWidth(16), usableWidth(1000)]).toEqual([16, 200]);
    expect(usableWidth(0), "a terminal that does not say how wide it is").toBe(80);
  });

  test("colours only the text of a cell, and only with a style that colours", () => {
    const rows = [[{ text: "bob\x1b", paint: (text: string) => makeStyle(true).member(text, "purple") }, "1", "x"]];
    expect(renderTable(columns, rows, 80, plain)).toContain("\x1b[1m\x1b[35mbob\\x1b\x1b[39m\x1b[22m  1  x");
    expect(plain.bad("x")).toBe("x");
  });
});
