import { describe, expect, it } from "vitest";
import bundle from "../../../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import { createSay } from "../../../src/extension/displayLanguage.ts";

const say = createSay({
  "It only reads.": "它只读取。",
  "No rule covers {0}.": "没有规则覆盖 {0}。",
  "{0} This mode does not ask.": "{0}此模式不询问。",
  "The rule {0} denies {1}, which leads to {2}.": "规则 {0} 拒绝通向 {2} 的 {1}。",
  "The rule {0} denies {1}.": "规则 {0} 拒绝 {1}。",
  "{0}, again {0}": "{0}，又是 {0}",
  "Plan: {0}": "计划：{0}",
  "Run {0}": "运行 {0}",
  "asks to stop: {0}": "请求停止：{0}",
  reads: "读取",
  changes: "修改",
  "It {0} {1}: {2}.": "它{0}{1}：{2}。",
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
    ["a, again b, again a, again b", "a, again b，又是 a, again b"],
    ["It changes a.ts: it: b.", "它修改a.ts：it: b。"],
    ["It changes a: .", "它修改a：。"],
    ["It changes.", "It changes."],
    ["It changes a: b", "It changes a: b"],
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

  it("leave what a person, a model or a file says as it is, unless it is a sentence of ours", () => {
    expect(say("Plan: Run npm test")).toBe("计划：Run npm test");
    expect(say("Run reads")).toBe("运行 reads");
    expect(say("asks to stop: reads")).toBe("请求停止：reads");
    expect(say("asks to stop: No rule covers x.")).toBe("请求停止：No rule covers x.");
    expect(say("asks to stop: It only reads.")).toBe("请求停止：它只读取。");
  });

  it("never take a word of what is quoted for one of ours, wherever it stands", () => {
    const shipped = createSay(bundle);
    expect(shipped("Run pip install requests")).toBe("运行 pip install requests");
    expect(shipped("Run rm -rf 2 files")).toBe("运行 rm -rf 2 files");
    expect(shipped("Plan: Add members")).toBe("计划：Add members");
    expect(shipped("Run ls, then try again.")).toBe("运行 ls, then try again.");
    expect(shipped("gave #1 Fix the requests")).toContain("Fix the requests");
    expect(shipped("is idle, after a message folder x")).toMatch(/folder x/);
    expect(shipped("2 requests")).toBe("2 个请求");
  });

  it("of thousands of kinds are remembered only up to a bound", () => {
    for (let n = 0; n < 5_000; n += 1) expect(say(`No rule covers ${n}.`)).toBe(`没有规则覆盖 ${n}。`);
  });
});
