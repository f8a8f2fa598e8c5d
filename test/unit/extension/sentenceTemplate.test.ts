import { describe, expect, it } from "vitest";
import { sentenceTemplate } from "../../../src/extension/sentenceTemplate.ts";

const valuesOf = (template: string, sentence: string) => {
  const values = sentenceTemplate(template).match(sentence);
  return values && Object.fromEntries(values);
};

/** What a regular expression with a lazy group in each place finds. */
function valuesByPattern(template: string, sentence: string) {
  const parts = template.split(/\{(\d)\}/);
  const source = parts.map((part, at) =>
    at % 2 === 0 ? part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : `(?<p${part}>.*?)`,
  );
  const groups = new RegExp(`^${source.join("")}$`, "s").exec(sentence)?.groups;
  return groups ? Object.fromEntries(Object.entries(groups).map(([name, value]) => [name.slice(1), value])) : null;
}

describe("a template of a sentence", () => {
  it.each([
    ["It {0} {1}: {2}.", "It reads a file: a: b.", { 0: "reads", 1: "a file", 2: "a: b" }],
    ["It {0} {1}: {2}.", "It  : .", { 0: "", 1: "", 2: "" }],
    ["It {0} {1}: {2}.", "It : .", null],
    ["It {0} {1}: {2}.", "It reads a file: b", null],
    ["{1} {0}", "a b c", { 1: "a", 0: "b c" }],
    ["{0}{1}.", "ab.", { 0: "", 1: "ab" }],
    ["a{0}a", "a", null],
    ["a{0}a", "aa", { 0: "" }],
    ["{0} and {0}", "x and x", { 0: "x" }],
    ["{0} and {0}", "x and y", null],
    ["{0}{0}", "a\na\n", { 0: "a\n" }],
    ["{0} {1} {1}", "a b b", null],
    ["{0}.", "{0} $& \\.", { 0: "{0} $& \\" }],
  ])("%s of %s", (template, sentence, values) => {
    expect(valuesOf(template, sentence)).toEqual(values);
  });

  it("finds what a regular expression would", () => {
    const templates = ["{0} {1}: {2}.", "a{0}b{1}a", "{0}ab{1}", "ab{0}", "{0}a{1}b{2}", "b{1}{0}a"];
    let state = 7;
    const next = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let round = 0; round < 3_000; round += 1) {
      const sentence = Array.from({ length: next(12) }, () => "ab :."[next(5)]).join("");
      for (const template of templates)
        expect(valuesOf(template, sentence)).toEqual(valuesByPattern(template, sentence));
    }
  });

  it("counts the characters that stand for themselves", () => {
    expect(sentenceTemplate("It {0} {1}: {2}.").literal).toBe(7);
  });

  it("takes time in proportion to a sentence of 100,000 characters", () => {
    const before = performance.now();
    const words = `It ${"a: ".repeat(33_333)}`;
    expect(valuesOf("It {0} {1}: {2}.", words)).toBeNull();
    expect(valuesOf("{0} {1} {2} {3}: {4}: {5}: {6}!", words)).toBeNull();
    expect(valuesOf("It {0} {1}: {2}.", `${words}.`)).toMatchObject({ 0: "a:", 1: "a" });
    expect(valuesOf("{0} and {0}", `${words} and ${words}`)).toEqual({ 0: words });
    expect(performance.now() - before).toBeLessThan(3_000);
  });
});
