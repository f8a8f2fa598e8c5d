import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oversized, sizeLines } from "../../../scripts/build/sizes.ts";

describe("the size gate", () => {
  let dist: string;
  beforeEach(() => {
    dist = mkdtempSync(path.join(tmpdir(), "muster-dist-"));
    mkdirSync(path.join(dist, "webview"));
  });
  afterEach(() => rmSync(dist, { recursive: true }));
  const write = (file: string, content: Buffer) => writeFileSync(path.join(dist, file), content);

  it("lets small bundles pass", () => {
    write("extension.cjs", Buffer.alloc(1000));
    write("webview/main.js", Buffer.alloc(1000));
    expect(oversized(dist)).toEqual([]);
    expect(sizeLines(dist)).toEqual([
      expect.stringMatching(/^extension\.cjs: 1000 of \d+ bytes$/),
      expect.stringMatching(/^webview\/main\.js: 1000 of \d+ bytes$/),
    ]);
  });

  it("refuses one that is too large", () => {
    write("extension.cjs", Buffer.alloc(2_000_000));
    expect(oversized(dist)).toEqual([expect.stringMatching(/^extension\.cjs has 2000000 bytes; \d+ are the limit\.$/)]);
  });

  it("counts the files of a folder together", () => {
    mkdirSync(path.join(dist, "teams"));
    for (const name of ["startTeam.mjs", "chunk.mjs"]) write(`teams/${name}`, Buffer.alloc(900_000));
    expect(oversized(dist)).toEqual([expect.stringMatching(/^teams has 1800000 bytes; \d+ are the limit\.$/)]);
  });

  it("counts the chunks that the webview begins with, not those that it loads later", () => {
    mkdirSync(path.join(dist, "webview/chunks"));
    const chunk = (imports: string) => Buffer.concat([Buffer.from(imports), Buffer.alloc(180_000)]);
    write("webview/main.js", Buffer.from('import{a}from"./chunks/a.js";import("./chunks/later.js");'));
    write("webview/chunks/a.js", chunk('import"./b.js";'));
    write("webview/chunks/b.js", chunk('import{a}from"./a.js";'));
    write("webview/chunks/later.js", chunk(""));
    expect(oversized(dist)).toEqual([expect.stringMatching(/^webview\/main\.js has 36\d{4} bytes; 350000 are/)]);
  });

  it("refuses a webview that is too large once it is compressed", () => {
    write("webview/main.js", randomBytes(200_000));
    expect(oversized(dist)).toEqual([expect.stringMatching(/^webview\/main\.js has \d+ bytes gzipped/)]);
  });
});
