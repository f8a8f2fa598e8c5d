import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScratchFolder, type ScratchFolder } from "../../../src/store/scratchFolder.ts";

let scratch: ScratchFolder;
let outside: string;
beforeEach(async () => {
  scratch = await createScratchFolder();
  outside = mkdtempSync(path.join(os.tmpdir(), "muster-outside-"));
});
afterEach(async () => {
  await scratch.remove();
  rmSync(outside, { recursive: true, force: true });
});

test("holds files, links and folders, and goes with all of them", async () => {
  const at = (name: string) => path.join(scratch.dir, name);
  await scratch.makeDir(at("a/b"));
  await scratch.makeFile(at("c/d.txt"), "x");
  await scratch.makeSymlink(at("e/link"), "/etc");
  await scratch.makeHardlink(at("f"), at("c/d.txt"));
  expect(readFileSync(at("f"), "utf8")).toBe("x");
  expect(statSync(at("f")).nlink).toBe(2);
  expect(lstatSync(at("e/link")).isSymbolicLink()).toBe(true);
  await scratch.remove();
  expect(existsSync(scratch.dir)).toBe(false);
});

test("makes nothing outside, not even through a link", async () => {
  await scratch.makeSymlink(path.join(scratch.dir, "out"), outside);
  const refused = { reason: "not_allowed" };
  await expect(scratch.makeFile(path.join(outside, "x"), "")).rejects.toMatchObject(refused);
  await expect(scratch.makeFile(path.join(scratch.dir, "../x"), "")).rejects.toMatchObject(refused);
  await expect(scratch.makeFile(path.join(scratch.dir, "out/x"), "")).rejects.toMatchObject(refused);
  await expect(scratch.makeDir(path.join(scratch.dir, "out/x/y"))).rejects.toMatchObject(refused);
  await expect(scratch.makeHardlink(path.join(scratch.dir, "h"), "/etc/hosts")).rejects.toMatchObject(refused);
  expect(readdirSync(outside)).toEqual([]);
});
