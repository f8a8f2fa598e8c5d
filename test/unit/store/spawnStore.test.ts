import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isObject } from "../../../src/base/json.ts";
import { hostMark } from "../../../src/store/processIdentity.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const asSpawn = (content: unknown) => (isObject(content) && "nonce" in content ? content : null);

test("of many that read a spawn file at once, one gets it", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  for (let round = 0; round < 20; round += 1) {
    const path = await temp.store.spawns.write("demo", "alice", { nonce: "n" });
    const taken = await Promise.all(Array.from({ length: 8 }, () => temp.store.spawns.take(path, asSpawn)));
    expect(taken.map(({ kind }) => kind).sort()).toEqual([...Array(7).fill("gone"), "taken"]);
    expect(existsSync(path)).toBe(false);
  }
});

test("a file that is no spawn file is not taken, and stays", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const path = join(temp.store.paths.root, "mine.json");
  for (const text of ['{"my": "own"}', "no JSON", ""]) {
    await writeFile(path, text);
    expect(await temp.store.spawns.take(path, asSpawn)).toEqual({ kind: "foreign" });
    expect(existsSync(path)).toBe(true);
  }
});

test.skipIf(process.platform === "win32")("a pipe or a device is not waited for, and not read", async () => {
  await using temp = await openTempStore();
  const pipe = join(temp.store.paths.root, "pipe");
  execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
  for (const path of [pipe, "/dev/zero"])
    await expect(temp.store.spawns.take(path, asSpawn)).rejects.toThrow(`it is no regular file (${path})`);
  expect(existsSync(pipe)).toBe(true);
});

test("what was prepared for one agent is removed, and nothing of another", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const paths = [
    await temp.store.spawns.write("demo", "alice", {}),
    await temp.store.spawns.write("demo", "alice", {}),
  ];
  const other = await temp.store.spawns.write("demo", "alice-2", {});
  await temp.store.spawns.remove("demo", "alice");
  expect([...paths, other].map((path) => existsSync(path))).toEqual([false, false, true]);
  await temp.store.spawns.remove("demo", "nobody");
});

test("of its own, a process leaves what one of the same number on another machine has written", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const own = await temp.store.spawns.write("demo", "alice", {});
  const mark = await hostMark();
  expect(own).toMatch(new RegExp(`/alice\\.${process.pid}\\.${mark}[0-9a-f]{5}\\.json$`));
  const others = join(dirname(own), `alice.${process.pid}.${mark === "0a1" ? "0a2" : "0a1"}b2c3d.json`);
  await writeFile(others, "{}");
  await temp.store.spawns.remove("demo", "alice", "own");
  expect([own, others].map((path) => existsSync(path))).toEqual([false, true]);
});
