import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/project.ts";
import { createSay, QUOTING } from "../../../src/extension/displayLanguage.ts";
import { itemText } from "../../../src/team/views/terminalText.ts";
import { allTexts, chineseBundle, windowSentences } from "../../support/sentences.ts";

const read = async (file: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(join(projectRoot, file), "utf8")) as Record<string, string>;

const placesOf = (text: string): string[] => [...new Set(text.match(/\{\d\}/g))].sort();
const HAN = /\p{Script=Han}/u;

describe("Simplified Chinese is complete", async () => {
  const bundle = chineseBundle();
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

  it("and names a place twice in no sentence, which would fit none", () => {
    const repeated = Object.keys(bundle).filter((text) => (text.match(/\{\d\}/g)?.length ?? 0) > placesOf(text).length);
    expect(repeated).toEqual([]);
    expect([...QUOTING.keys()].filter((text) => bundle[text] === undefined)).toEqual([]);
  });

  it("for reasons that are handed on, and for what the file system or the API refused", () => {
    const found = new Set(sentences.map(({ text }) => text));
    const handedOn = ["The person asks for it.", "ended by the person", "its terminal was closed", "exit code {0}"];
    const refused = ["The file was not written: {0}.", "the disk is full; free some space and try again"];
    const failed = ["The API is overloaded ({0}). Wait a little", "The run reached its limit of {0} turns."];
    const wanted = [...handedOn, ...refused, ...failed, "Interrupted.", "It goes on."];
    expect(wanted.filter((text) => !found.has(text))).toEqual([]);
  });

  it("for whom a member was told by", () => {
    const origins = ["prompt", "mail", "task", "digest"] as const;
    const heads = origins.map((origin) => {
      const item = { type: "input" as const, at: 0, origin, from: null, text: "a", summary: null };
      return stripVTControlCharacters(itemText(item, 80, createSay(bundle))).trim();
    });
    expect(heads.filter((head) => !HAN.test(head))).toEqual([]);
  });

  it("for every text of the manifest", async () => {
    const manifest: unknown = JSON.parse(await readFile(join(projectRoot, "package.json"), "utf8"));
    const read = textsOfManifest(manifest);
    expect(read.filter((text) => !/^%[\w.-]+%$/.test(text))).toEqual([]);
    expect([...new Set(read.map((text) => text.slice(1, -1)))].sort()).toEqual(Object.keys(english).sort());
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
    const untranslated = Object.entries(chinese).filter(([key, text]) => text === english[key] && !SAME.has(text));
    expect(untranslated).toEqual([]);
  });
});

/** What a sentence may go on with: "finished #2: The subject". */
const ADDED = /:? \{\d\}\.?$/;

/** Properties of the manifest that a person reads. What else begins as a sentence does is read too. */
const READ = new Set([
  ...["displayName", "description", "title", "shortTitle", "category", "contextualTitle", "label", "contents"],
  ...["altText", "markdownDescription", "enumDescriptions", "markdownEnumDescriptions", "enumItemLabels"],
  ...["errorMessage", "patternErrorMessage", "deprecationMessage", "markdownDeprecationMessage"],
]);

/** Every text of the manifest that a person reads; `name` is one only of a view. */
function textsOfManifest(value: unknown, key = "", within = ""): string[] {
  if (typeof value === "string") {
    const isRead = READ.has(key) || (key === "name" && within === "views");
    return isRead || /^%|^[A-Z][a-z]+ [a-z]/.test(value) ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((one) => textsOfManifest(one, key, within));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => textsOfManifest(one, name, key === "views" ? key : within));
}

/** Names that are the same in both languages. */
const SAME = new Set(["Muster: Agent Teams"]);
