import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeStoreFs, type StoreFs } from "../../../src/store/storeFs.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const update = { description: "new" };
const person = { by: "user", isAgent: false };

/** Renames onto task files fail so often, as on Windows where a reader holds the file open. */
function busy(code: string, times: number): StoreFs {
  let left = times;
  return {
    ...nodeStoreFs,
    async rename(from, to) {
      if (to.endsWith("1.json") && left-- > 0) throw Object.assign(new Error("busy"), { code });
      await nodeStoreFs.rename(from, to);
    },
  };
}

describe.each(["EPERM", "EBUSY", "EACCES"])("a rename that fails with %s (row 81)", (code) => {
  test("three times is made in the end, once, and leaves no temporary file", async () => {
    await using temp = await openTempStore({ fs: busy(code, 3) });
    await createDemo(temp.store, "alice");
    const task = await temp.store.tasks.create("demo", { subject: "one" });
    await temp.store.tasks.update("demo", task.id, update, person);
    expect((await temp.store.tasks.list("demo")).tasks.size).toBe(1);
    expect(await temp.store.tasks.get("demo", "1")).toMatchObject({ subject: "one", ...update });
    expect(await leftovers(temp.root)).toEqual([]);
  });

  test("for ever is an error that says what was not done, and leaves all as it was", async () => {
    await using temp = await openTempStore();
    await using stuck = await openTempStore({ root: temp.root, fs: busy(code, Number.POSITIVE_INFINITY) });
    await createDemo(temp.store, "alice");
    await temp.store.tasks.create("demo", { subject: "one" });
    await expect(stuck.store.tasks.update("demo", "1", update, person)).rejects.toMatchObject({
      reason: expect.stringMatching(/^(root_unreadable|lock_timeout)$/),
      message: expect.stringMatching(/^Task #1 was not changed/),
    });
    expect(await temp.store.tasks.get("demo", "1")).toMatchObject({ description: "" });
    expect(await leftovers(temp.root)).toEqual([]);
  });
});

async function leftovers(root: string): Promise<string[]> {
  const names = await readdir(join(root, "tasks/demo"));
  return names.filter((name) => name.endsWith(".tmp") || name.endsWith(".lock.lock") || name === "1.json.lock");
}
