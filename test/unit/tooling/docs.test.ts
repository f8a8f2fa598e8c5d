import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { LAYERS } from "../../../scripts/check/layers.ts";
import { LONG_HELP } from "../../../scripts/long/rows.ts";
import { projectRoot } from "../../../scripts/project.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const find = (pattern: string) => globSync(pattern, { cwd: projectRoot });
const PAGES = ["README.md", ...find("docs/*.md")];

/** What stands between backticks in a text. */
const codeIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);

it.each(PAGES)("every file and folder of the project that %s names is there", (page) => {
  const files = find("{src,webview,test,scripts}/**/*.{ts,tsx,mjs}").map((file) => path.basename(file));
  const missing = codeIn(read(page)).filter((code) => {
    if (/^(src|webview|test|scripts|docs)\/[\w./*-]*$/.test(code)) return find(code.replace(/\/$/, "")).length === 0;
    return /^\w+\.(ts|tsx|mjs)$/.test(code) && code !== "muster.mjs" && !files.includes(code);
  });
  expect(missing).toEqual([]);
});

it("the table of layers says what is checked, and every folder of src is in it", () => {
  const rows = read("docs/architecture.md").matchAll(/^\| `(\w+)\/?` \| ([^|]+) \| ([^|]+) \|$/gm);
  const packages = [...rows].flatMap(([, layer = "", , named = ""]) =>
    layer in LAYERS ? [[layer, codeIn(named).sort()]] : [],
  );
  const checked = Object.entries(LAYERS).map(([layer, { packages = [], lazy = {} }]) => [
    layer,
    [...packages, ...Object.keys(lazy)].sort(),
  ]);
  expect(Object.fromEntries(packages)).toEqual(Object.fromEntries(checked));
  expect([...readdirSync(path.join(projectRoot, "src")), "webview"].sort()).toEqual(Object.keys(LAYERS).sort());
});

it("what the pages say of the long proofs is what their help says", () => {
  const minutes = /(\d+) unless said otherwise, up to (\d+)/.exec(LONG_HELP)?.slice(1);
  const [, usual, most] =
    /each row (\d+) minutes at most, or as many as `--minutes` says, up to (\d+)\./.exec(
      read("docs/architecture.md"),
    ) ?? [];
  expect([usual, most]).toEqual(minutes);
});
