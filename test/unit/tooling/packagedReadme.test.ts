import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { packagedReadme } from "../../../scripts/package/packagedReadme.ts";
import { projectRoot } from "../../../scripts/project.ts";
import { isRule } from "../../../src/permission/rules.ts";

const headings = (text: string) => text.match(/^#+ .*$/gm);

it("the README in the package has every section of use, and no picture or link that VS Code would show broken", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const packaged = packagedReadme(readme);
  expect(headings(packaged)).toEqual(headings(readme)?.slice(0, -1));
  expect(packaged.match(/\]\((?!https:|#)[^)]*\)/g)).toBeNull();
  expect(packaged).toContain("docs/security.md");
});

it("the README puts use first and development last, and names the test command", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const sections = (headings(readme) ?? []).filter((heading) => heading.startsWith("## "));
  expect(sections[0]).toBe("## Start");
  expect(sections.at(-1)).toBe("## From a clone, and developing it");
  const [use = ""] = readme.split(`${sections.at(-1)}\n`);
  expect(use).not.toMatch(/^npm /m);
  expect(readme).toMatch(/^```\nnpm start\nnpm test\n```$/m);
});

it("the README has every setting with the value that holds at first", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `(muster\.[\w.]+)` \| (.+?) \|/gm)].map(([, name, first]) => [name, first]);
  const { contributes } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const groups: { properties: Record<string, { default: unknown }> }[] = [contributes.configuration].flat();
  const shown = (value: unknown) =>
    value === "" ? "none" : `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
  const settings = groups.flatMap(({ properties }) => Object.entries(properties));
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(settings.map(([name, one]) => [name, shown(one.default)])),
  );
});

it("every rule that the README shows is one", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const [, table = ""] = /\| rule \| is about \|\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const rules = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/(?<=`)[A-Z][^`]+(?=`)/g) ?? [],
  );
  expect(rules.length).toBeGreaterThan(4);
  expect(rules.filter((rule) => !isRule(rule))).toEqual([]);
});

it("keeps addresses and links within the page, and names the file of every other link", () => {
  const text =
    "![a](docs/a.png)\n\n[Site](https://example.org) [Below](#below) [docs/a.md](docs/a.md) [Guide](docs/b.md)\n";
  expect(packagedReadme(text)).toBe("[Site](https://example.org) [Below](#below) docs/a.md Guide (docs/b.md)\n");
});
