import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const HOURS_AGO = new Date(Date.now() - 2 * 60 * 60_000);
const MINUTES_AGO = new Date(Date.now() - 5 * 60_000);

async function leave(path: string, at: Date): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "{}");
  await utimes(path, at, at);
}

test("what killed processes left long ago is removed, spawn files with their keys too, and nothing else", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const { dir, inboxes, own, spawns } = temp.store.paths.team("demo");
  const old = [
    join(inboxes, "alice.json.4711.0a1b2c3d.tmp"),
    join(spawns, "alice.json"),
    join(spawns, "bob.json.4711.0a1b2c3d.tmp"),
    join(own, "lead.json.lock.owner"),
  ];
  const others = [join(inboxes, "notes.json"), join(dir, "notes.tmp")];
  for (const path of [...old, ...others]) await leave(path, HOURS_AGO);
  await leave(join(spawns, "dora.json"), MINUTES_AGO); // keys lie about for a short time only
  await leave(join(inboxes, "dora.json.4711.0a1b2c3d.tmp"), MINUTES_AGO);
  await temp.store.spawns.write("demo", "carol", { nonce: "n" });
  expect(await temp.store.sweep()).toBe(old.length + 1);
  expect(await readdir(spawns)).toEqual([expect.stringMatching(/^carol\.\d+\.[0-9a-f]{8}\.json$/)]);
  expect(await readdir(inboxes)).toEqual(expect.arrayContaining(["notes.json", "dora.json.4711.0a1b2c3d.tmp"]));
  expect(await readdir(dir)).toContain("notes.tmp");
  expect(await temp.store.sweep()).toBe(0);
});
