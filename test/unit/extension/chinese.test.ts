import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";
import { allTexts, windowSentences } from "../../support/sentences.ts";

const read = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(join(projectRoot, file), "utf8")) as Record<string, string>;

const placesOf = (text: string): string[] => [...new Set(text.match(/\{\d\}/g))].sort();
const HAN = /\p{Script=Han}/u;

describe("Simplified Chinese is complete", async () => {
  const bundle = await read("l10n/bundle.l10n.zh-cn.json");
  const english = await read("package.nls.json");
  const chinese = await read("package.nls.zh-cn.json");
  const sentences = windowSentences();

  it("for every sentence that the window shows", () => {
    const missing = sentences.filter(({ text }) => !HAN.test(bundle[text] ?? ""));
    expect(missing).toEqual([]);
    expect(sentences.length).toBeGreaterThan(300);
  });

  it("and keeps the places of every sentence", () => {
    const differing = Object.entries(bundle).filter(
      ([text, translation]) => placesOf(text).join() !== placesOf(translation).join(),
    );
    expect(differing).toEqual([]);
  });

  it("and holds no sentence that is gone", () => {
    const known = allTexts();
    const gone = Object.keys(bundle).filter((text) => !known.has(text) && !known.has(text.replace(ADDED, "")));
    expect(gone).toEqual([]);
  });

  it("for every text of the manifest", () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
    const untranslated = Object.entries(chinese).filter(([key, text]) => text === english[key] && !SAME.has(text));
    expect(untranslated).toEqual([]);
  });
});

/** What a sentence may go on with: "finished #2: The subject". */
const ADDED = /:? \{\d\}$/;

/** Names that are the same in both languages. */
const SAME = new Set(["Agent Teams", "Muster: Agent Teams"]);
