import path from "node:path";
import { describe, expect, it } from "vitest";
import { pathIn } from "../../../src/base/pathIn.ts";

describe("what lies in a folder", () => {
  it.each([
    ["/project", "/project/src/a.ts", "src/a.ts"],
    ["/project/", "/project/src/a.ts", "src/a.ts"],
    ["/project", "/project", ""],
    ["/project", "/project/..x", "..x"],
    ["/project", "/project/..x/a.ts", "..x/a.ts"],
    ["/project", "/project/...", "..."],
    ["/project", "/project/src/../a.ts", "a.ts"],
    ["/project", "/project/..\\a.ts", "..\\a.ts"],
    ["/", "/a.ts", "a.ts"],
    ["/project", "/projects", null],
    ["/project", "/project-2/a.ts", null],
    ["/project", "/project/../a.ts", null],
    ["/project", "/project/src/../../a.ts", null],
    ["/project", "/..x", null],
    ["/project", "/a.ts", null],
    ["/project", "/", null],
    ["/project/src", "/project", null],
  ])("%s, %s", (folder, file, inside) => {
    expect(pathIn(folder, file, path.posix)).toBe(inside);
  });

  it.each([
    ["C:\\project", "C:\\project\\src\\a.ts", "src\\a.ts"],
    ["C:\\project", "c:\\Project\\a.ts", "a.ts"],
    ["C:\\project", "C:\\project\\..x", "..x"],
    ["C:\\project", "C:\\projects\\a.ts", null],
    ["C:\\project", "C:\\a.ts", null],
    ["C:\\project", "D:\\project\\a.ts", null],
    ["C:\\project", "\\\\server\\share\\a.ts", null],
  ])("on Windows: %s, %s", (folder, file, inside) => {
    expect(pathIn(folder, file, path.win32)).toBe(inside);
  });
});
