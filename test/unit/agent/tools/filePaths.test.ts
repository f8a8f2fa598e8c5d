import { expect, it } from "vitest";
import { shownPath } from "../../../../src/agent/tools/filePaths.ts";

it.each([
  ["/project/src/a.ts", "src/a.ts"],
  ["/project/..x", "..x"],
  ["/project/..x/a.ts", "..x/a.ts"],
  ["/project", "/project"],
  ["/project-2/a.ts", "/project-2/a.ts"],
  ["/a.ts", "/a.ts"],
])("%s is told of as %s", (absolute, shown) => {
  expect(shownPath(absolute, "/project")).toBe(shown);
});
