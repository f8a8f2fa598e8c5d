import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";

type Sentences = Record<string, readonly [english: string, chinese: string]>;

const files = globSync("webview/l10n/*.ts", { cwd: projectRoot }).filter((file) => !file.endsWith("words.ts"));
const areas = await Promise.all(
  files.map(async (file): Promise<[string, Sentences]> => {
    const found: Record<string, Sentences> = await import(path.join(projectRoot, file));
    return [file, Object.assign({}, ...Object.values(found))];
  }),
);
const words = areas.flatMap(([, area]) => Object.entries(area));
const placesOf = (sentence: string) => new Set(sentence.match(/\{\d\}/g));

describe("the webview's words", () => {
  it("are there", () => {
    expect(files.length).toBeGreaterThan(8);
    expect(words.length).toBeGreaterThan(200);
  });

  it("have a key of their own, in whatever file they stand", () => {
    const keys = words.map(([key]) => key);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it.each(words)("%s says the same in both languages", (key, [english, chinese]) => {
    expect([english.trim(), chinese.trim()]).toEqual([english, chinese]);
    expect(chinese).not.toBe("");
    // Chinese has one form for any number, so a number that English leaves out of "one" may stand in it
    if (!key.endsWith(".one")) expect(placesOf(chinese)).toEqual(placesOf(english));
  });

  it.each(words)(
    "%s is written as Chinese is: full-width marks, no half-width comma or full stop",
    (_key, [, chinese]) => {
      if (!/[\u4e00-\u9fff]/.test(chinese)) return;
      expect(chinese).not.toMatch(/[\u4e00-\u9fff] ?[,;:?!()]|[\u4e00-\u9fff]\.|[\u4e00-\u9fff]\.\.\./);
    },
  );
});
