import { mkdir, mkdtemp, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureDir } from "../../../src/store/folders.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

async function place(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "muster-folders-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test("a folder is made with its parents, also behind a link that leads somewhere", async () => {
  const dir = await place();
  await mkdir(join(dir, "there"));
  await symlink(join(dir, "there"), join(dir, "link"));
  await ensureDir(nodeStoreFs, join(dir, "link/a/b"), null);
  expect((await stat(join(dir, "there/a/b"))).isDirectory()).toBe(true);
});

test("below a link that leads nowhere no folder is made, and that is told at once", async () => {
  const dir = await place();
  await symlink(join(dir, "missing"), join(dir, "link"));
  await expect(ensureDir(nodeStoreFs, join(dir, "link/a/b/c"), null)).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("a state root that leads nowhere makes no team, and a sentence says so", async () => {
  const dir = await place();
  await symlink(join(dir, "missing"), join(dir, "root"));
  await using temp = await openTempStore({ root: join(dir, "root") });
  await expect(createDemo(temp.store)).rejects.toThrow(/^Team demo was not created: .+\.$/);
});
