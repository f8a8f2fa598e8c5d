import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isInFolders, nameIn, realFolders } from "../../../src/extension/folderPaths.ts";
import { nodePathFs } from "../../../src/store/pathFs.ts";

describe("a file in a folder", () => {
  it("names a file for a person: absolute where it lies elsewhere or the folder is not known", () => {
    expect(nameIn("/project", "/project/..a.ts")).toBe("..a.ts");
    expect(nameIn("/project", "/other/a.ts")).toBe("/other/a.ts");
    expect(nameIn("/project", "/project")).toBe("/project");
    expect(nameIn(null, "/project/a.ts")).toBe("/project/a.ts");
  });
});

describe("folders that are opened through a link", () => {
  let base: string;
  let real: string;
  let link: string;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-folders-")));
    real = path.join(base, "real");
    link = path.join(base, "link");
    mkdirSync(path.join(real, "packages/a"), { recursive: true });
    symlinkSync(real, link, "dir");
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it("hold what lies where the link leads", async () => {
    expect(await isInFolders(real, [link], nodePathFs)).toBe(true);
    expect(await isInFolders(path.join(real, "packages/a"), [link], nodePathFs)).toBe(true);
    expect(await isInFolders(base, [link], nodePathFs)).toBe(false);
    expect(await isInFolders(real, [], nodePathFs)).toBe(false);
  });

  it("are found without those that are gone", async () => {
    expect(await realFolders([link, path.join(base, "gone")], nodePathFs)).toEqual([real]);
  });
});
