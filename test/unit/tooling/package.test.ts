import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keepBuild, newestBuild } from "../../../scripts/build/keptBuilds.ts";
import { missingFiles, packFolder } from "../../../scripts/package.ts";

it("the package holds what the newest build wrote, without chunks of builds before it", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "muster-packed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(path.join(import.meta.dirname, "../../fixtures/probe-extension"), folder, { recursive: true });
  writeFileSync(
    path.join(folder, ".vscodeignore"),
    "**\n!package.json\n!extension.js\n!README.md\n!LICENSE\n!media/*\n!dist/*.cjs\n!dist/cli/*.mjs\n",
  );
  const dist = path.join(folder, "dist");
  mkdirSync(path.join(dist, "cli"), { recursive: true });
  const builds = [
    ["extension.cjs", "cli/chunk-A.mjs"],
    ["extension.cjs", "services.cjs", "cli/chunk-B.mjs"],
  ];
  for (const files of builds) {
    for (const file of files) writeFileSync(path.join(dist, file), "// built\n");
    keepBuild(dist, files);
  }
  const vsix = path.join(folder, "probe.vsix");
  expect(packFolder(folder, vsix)).toBe(true);
  expect(missingFiles(vsix, newestBuild(dist))).toEqual([]);
  expect(missingFiles(vsix, ["cli/chunk-A.mjs"])).toEqual(["cli/chunk-A.mjs"]);
});
