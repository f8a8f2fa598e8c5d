import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTempStore } from "../../support/tempStore.ts";

test("texts: instructions are read without their mark, projects only go to empty folders", async () => {
  await using temp = await openTempStore();
  const { texts, paths } = temp.store;
  expect(await texts.readOptional(paths.personInstructions)).toBeNull();
  await writeFile(paths.personInstructions, "\uFEFFBe kind.");
  expect(await texts.readOptional(paths.personInstructions)).toBe("Be kind.");
  const dir = join(temp.root, "project");
  await texts.writeProject(dir, { "package.json": "{}", "src/deep/a.js": "1", "..b.js": "2" });
  expect(await readFile(join(dir, "src/deep/a.js"), "utf8")).toBe("1");
  expect(await readFile(join(dir, "..b.js"), "utf8")).toBe("2");
  await expect(texts.writeProject(dir, { a: "b" })).rejects.toMatchObject({ reason: "not_allowed" });
  await mkdir(join(temp.root, "empty"));
  await expect(texts.writeProject(join(temp.root, "empty"), { "../out.txt": "x" })).rejects.toThrow("outside");
  expect(await readdir(temp.root)).not.toContain("out.txt");
});
