import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namedFile } from "../../../../src/extension/panel/namedFile.ts";
import { nodePathFs } from "../../../../src/store/pathFs.ts";

let base: string;
let folder: string;
const find = (name: string, folders = [folder]) => namedFile(name, folders, nodePathFs);

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-named-")));
  folder = path.join(base, "work");
  mkdirSync(path.join(folder, "src"), { recursive: true });
  writeFileSync(path.join(folder, "src/a.ts"), "");
  writeFileSync(path.join(base, "secret.txt"), "");
  symlinkSync(path.join(base, "secret.txt"), path.join(folder, "link.txt"));
});
afterEach(() => rmSync(base, { recursive: true }));

describe("a file that a text names", () => {
  it("is found from the folder, absolute, and in the second folder", async () => {
    const file = path.join(folder, "src/a.ts");
    expect(await find("src/a.ts")).toBe(file);
    expect(await find(file)).toBe(file);
    expect(await find("./src/../src/a.ts")).toBe(file);
    expect(await find("a.ts", [base, path.join(folder, "src")])).toBe(file);
  });

  it.each(["../secret.txt", "/etc/passwd", "link.txt", "src", "none.ts", "", "src/a.ts/..", "a\0b"])(
    "is not opened from outside, through a link, or where it is none: %j",
    async (name) => {
      await expect(find(name)).rejects.toThrow(/There is no file/);
    },
  );

  it("is not opened where no folder is", async () => {
    await expect(find(path.join(folder, "src/a.ts"), [])).rejects.toThrow(/There is no file/);
  });
});
