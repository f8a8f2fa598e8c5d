import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { earlierChunks, KEPT_BUILDS, keepBuild } from "../../../scripts/build/keptBuilds.ts";
import { sizeLines } from "../../../scripts/build/sizes.ts";

describe("a build", () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(path.join(tmpdir(), "muster-dist-"));
    mkdirSync(path.join(dist, "cli"));
    mkdirSync(path.join(dist, "webview/chunks"), { recursive: true });
  });
  afterEach(() => rmSync(dist, { recursive: true }));

  const build = (...files: string[]) => {
    for (const file of files) writeFileSync(path.join(dist, file), Buffer.alloc(100));
    keepBuild(dist, files);
  };
  const there = (file: string) => existsSync(path.join(dist, file));

  it("leaves the chunks of the builds before it to programs that run", () => {
    build("muster.mjs", "cli/chunk-A.mjs", "webview/chunks/a.js");
    for (const name of ["B", "C"]) build("muster.mjs", `cli/chunk-${name}.mjs`);
    expect(there("cli/chunk-A.mjs") && there("webview/chunks/a.js")).toBe(true);
    expect(earlierChunks(dist).sort()).toEqual(["cli/chunk-A.mjs", "cli/chunk-B.mjs", "webview/chunks/a.js"]);
    expect(sizeLines(dist)).toContainEqual(expect.stringMatching(/^cli: 100 of /));
  });

  it("keeps those of a set number of builds, and one that changes nothing counts once", () => {
    build("cli/chunk-first.mjs");
    for (let n = 1; n < KEPT_BUILDS; n += 1) build(`cli/chunk-${n}.mjs`);
    for (let n = 0; n < 3; n += 1) build(`cli/chunk-${KEPT_BUILDS - 1}.mjs`);
    expect(there("cli/chunk-first.mjs")).toBe(true);
    build("cli/chunk-last.mjs");
    expect(there("cli/chunk-first.mjs")).toBe(false);
    expect(readdirSync(path.join(dist, "cli"))).toHaveLength(KEPT_BUILDS);
  });

  it("deletes what was kept of code that an earlier build wrote", () => {
    mkdirSync(path.join(dist, "compiled/v24"), { recursive: true });
    writeFileSync(path.join(dist, "compiled/v24/a.cache"), "");
    build("muster.mjs");
    expect(there("compiled")).toBe(false);
  });

  it("deletes what no build wrote, and knows nothing of earlier ones where there is no list", () => {
    writeFileSync(path.join(dist, "cli/stray.mjs"), "");
    expect(earlierChunks(dist)).toEqual([]);
    build("cli/chunk-A.mjs");
    expect(there("cli/stray.mjs")).toBe(false);
  });
});
