import { describe, expect, it } from "vitest";
import { createSay } from "../../../src/extension/displayLanguage.ts";

const say = createSay({
  "It only reads.": "它只读取。",
  "No rule covers {0}.": "没有规则覆盖 {0}。",
  "{0} This mode does not ask.": "{0}此模式不询问。",
  "The rule {0} denies {1}, which leads to {2}.": "规则 {0} 拒绝通向 {2} 的 {1}。",
  "The rule {0} denies {1}.": "规则 {0} 拒绝 {1}。",
  "{0}, again {0}": "{0}，又是 {0}",
});

describe("sentences in the display language", () => {
  it.each([
    ["It only reads.", "它只读取。"],
    ["No rule covers psql $1 (x).", "没有规则覆盖 psql $1 (x)。"],
    ["No rule covers a\nb.", "没有规则覆盖 a\nb。"],
    ["It only reads. This mode does not ask.", "它只读取。此模式不询问。"],
    ["The rule A denies b, which leads to c.", "规则 A 拒绝通向 c 的 b。"],
    ["The rule A denies b.", "规则 A 拒绝 b。"],
    ["a, again a", "a，又是 a"],
    ["a, again b", "a, again b"],
    ["Something else.", "Something else."],
    ["", ""],
  ])("%s", (english, chinese) => {
    expect(say(english)).toBe(chinese);
    expect(say(english)).toBe(chinese);
  });

  it("stay English where VS Code is", () => {
    expect(createSay(undefined)("It only reads.")).toBe("It only reads.");
  });

  it("keep what a value holds, even if it looks like a place", () => {
    expect(say("No rule covers {1} $& {0}.")).toBe("没有规则覆盖 {1} $& {0}。");
  });

  it("of thousands of kinds are remembered only up to a bound", () => {
    for (let n = 0; n < 5_000; n += 1) expect(say(`No rule covers ${n}.`)).toBe(`没有规则覆盖 ${n}。`);
  });
});
