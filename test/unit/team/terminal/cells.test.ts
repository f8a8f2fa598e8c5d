import xterm from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { cells, characters, wrap } from "../../../../src/team/terminal/cells.ts";

/** Texts of many scripts, with what is made of several code points. */
const TEXTS = {
  plain: "The quick brown fox jumps over the lazy dog.",
  chinese: "界面显示任务、消息与决定，长句没有空格也要断开。完成🚀了⚠️。",
  hindi: "टीम का काम पूरा हुआ और सभी परीक्षण सफल रहे हैं",
  tamil: "குழு பணியை முடித்தது கொடுத்தது",
  bengali: "দলের কাজ শেষ হয়েছে এবং সব পরীক্ষা সফল",
  yi: "ꆈꌠꁱꂷꆈꌠꁱꂷꆈꌠꁱꂷ",
  combining: `e\u0301q\u0302x\u0300${"a\u0304\u0301".repeat(20)}`,
  emoji: "✅ 🇩🇪🇫🇷 🚀 1️⃣ ⚠️ ✓ ✗ — “quoted” … → ½",
  icons: "\ue0b0 branch \uf8ff end \u{33001}",
  korean: "팀이 작업을 마쳤습니다",
};

async function rowsOf(text: string, columns: number): Promise<{ isWrapped: boolean; width: number }[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: 60, allowProposedApi: true });
  await new Promise<void>((done) => terminal.write(text.replaceAll("\n", "\r\n"), done));
  const buffer = terminal.buffer.active;
  return Array.from({ length: buffer.cursorY + buffer.baseY + 1 }, (_, at) => {
    const line = buffer.getLine(at);
    return { isWrapped: line?.isWrapped ?? false, width: line?.translateToString(true).length ?? 0 };
  });
}

describe("a text in a terminal", () => {
  it.each(Object.entries(TEXTS))("takes no more cells than are counted: %s", async (_name, text) => {
    const terminal = new xterm.Terminal({ cols: 400, rows: 4, allowProposedApi: true });
    await new Promise<void>((done) => terminal.write(text, done));
    expect(terminal.buffer.active.cursorX).toBeLessThanOrEqual(cells(text));
  });

  it.each(Object.entries(TEXTS))(
    "is broken so that no row goes on in the next one, and loses nothing: %s",
    async (_name, text) => {
      for (const columns of [10, 11, 23]) {
        const wrapped = wrap(text, columns);
        const rows = await rowsOf(wrapped, columns);
        expect(rows.filter(({ isWrapped }) => isWrapped)).toEqual([]);
        expect(rows).toHaveLength(wrapped.split("\n").length);
        expect(wrapped.replace(/\s/g, "")).toBe(text.normalize().replace(/\s/g, ""));
        for (const row of wrapped.split("\n")) expect(cells(row)).toBeLessThanOrEqual(columns);
      }
    },
  );

  it("is broken between its characters only", () => {
    for (const character of ["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "1️⃣", "q\u0302\u0301", "क्षि"]) {
      const rows = wrap(character.repeat(30), 11).split("\n");
      const whole = new RegExp(`^(?:${character.normalize()})+$`, "u");
      expect(rows.length).toBeGreaterThan(2);
      for (const row of rows.slice(0, -1)) if (character !== "क्षि") expect(row).toMatch(whole);
    }
  });

  it("consists of characters that are put together again", () => {
    const emoji = ["👨‍👩‍👧‍👦", " ", "🇩🇪", "🇫🇷", "👍🏽", "1️⃣"];
    expect(characters(emoji.join(""))).toEqual(emoji);
    expect(characters("a\u0301\nb\ud800c")).toEqual(["a\u0301", "\n", "b", "\ud800", "c"]);
    for (const text of Object.values(TEXTS)) expect(characters(text).join("")).toBe(text);
  });

  it("has its tabs at the stops of a terminal", async () => {
    const text = "a\tbc\tdef\n12345678\tx\n任务\ty";
    expect(wrap(text, 60)).toBe("a       bc      def\n12345678        x\n任务    y");
    expect(await rowsOf(wrap(text, 12), 12)).not.toContainEqual(expect.objectContaining({ isWrapped: true }));
  });

  it("keeps its colours over its rows, and the marks of a long text of marks", () => {
    const red = "\x1b[31m";
    const rows = wrap(`${red}${"क\u093e ".repeat(20)}\x1b[39m`, 12).split("\n");
    expect(rows.every((row) => row.startsWith(red) && row.endsWith("\x1b[39m"))).toBe(true);
    const many = "क\u093e".repeat(4_000);
    expect(wrap(many, 40).replaceAll("\n", "")).toBe(many);
    expect(cells("\u200b")).toBeLessThanOrEqual(1);
  });
});
