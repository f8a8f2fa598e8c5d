import path from "node:path";
import { describe, expect, it } from "vitest";
import { nameIn, pathIn } from "../../../src/base/pathIn.ts";

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

  it("is named from it for a person; what lies elsewhere, the folder itself and a relative path stay as they are", () => {
    expect(nameIn("/project", "/project/src/a.ts", path.posix)).toBe("src/a.ts");
    expect(nameIn("C:\\project", "c:\\Project\\src\\a.ts", path.win32)).toBe("src\\a.ts");
    const { posix } = path;
    for (const file of ["/project", "/other/a.ts", "src/a.ts", ""]) expect(nameIn("/project", file, posix)).toBe(file);
    expect(nameIn(null, "/project/a.ts", path.posix)).toBe("/project/a.ts");
  });
});
