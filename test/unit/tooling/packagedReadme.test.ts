import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { packagedReadme } from "../../../scripts/package/packagedReadme.ts";
import { projectRoot } from "../../../scripts/project.ts";

const headings = (text: string) => text.match(/^#+ .*$/gm);

it("the README in the package has every section, and no picture or link that VS Code would show broken", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const packaged = packagedReadme(readme);
  expect(headings(packaged)).toEqual(headings(readme));
  expect(packaged.match(/\]\((?!https:|#)[^)]*\)/g)).toBeNull();
  expect(packaged).toContain("docs/security.md");
});

it("keeps addresses and links within the page, and names the file of every other link", () => {
  const text =
    "![a](docs/a.png)\n\n[Site](https://example.org) [Below](#below) [docs/a.md](docs/a.md) [Guide](docs/b.md)\n";
  expect(packagedReadme(text)).toBe("[Site](https://example.org) [Below](#below) docs/a.md Guide (docs/b.md)\n");
});
