import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockInstance, writeOwner } from "../../src/store/lockOwner.ts";
import { machineProcesses } from "../../src/store/processIdentity.ts";
import { nodeStoreFs } from "../../src/store/storeFs.ts";
import { expectHealthy } from "../support/healthy.ts";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { fastRoot, finished, percentile, startChild } from "./storeProcesses.ts";

interface Entered {
  lock: string;
  alone?: boolean;
  asked?: number;
  entered?: number;
  ours?: boolean;
}

/** Longer than any test: a lock that is got at all was not waited for until it was stale. */
const NEVER_STALE = 10 * 60_000;
const reach = reachOf("locks");
const CONTENDERS = reach.pick(8, 16);
const ROUNDS = reach.pick(100, 10_000);
const BATCH = 100;

let dir = "";
beforeEach(async () => {
  dir = await fastRoot();
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe.each([
  { left: "by a foreign program, and old", by: "nobody", staleMs: 2_000 },
  { left: "by a process of this host that is dead", by: "dead", staleMs: NEVER_STALE },
])("a lock that was left $left", ({ by, staleMs }) => {
  test("is taken over by one of many at a time", { timeout: reach.timeout(300_000) }, async () => {
    const until = reach.until();
    const recoveries: number[] = [];
    for (let took = 0; recoveries.length < ROUNDS && Date.now() + took < until; ) {
      const begun = Date.now();
      recoveries.push(...(await takeOvers(by, staleMs)));
      took = Date.now() - begun;
    }
    reach.reached(recoveries.length);
    const [median, late] = [0.5, 0.99].map((share) => percentile(recoveries, share));
    console.log(`${recoveries.length} × ${CONTENDERS}: 0 double holders, recovery median ${median} ms, p99 ${late} ms`);
    expect(median).toBeLessThan(1_000);
  });
});

/** Rounds in which all contenders want a left lock at once; resolves to how long after the first asked one was in, ms. */
async function takeOvers(by: string, staleMs: number): Promise<number[]> {
  const start = Date.now() + 800 + CONTENDERS * 80; // all have started by then
  const rounds = Array.from({ length: BATCH }, (_, index) => ({
    lock: join(dir, `${index}.json.lock`),
    at: start + index * (40 + CONTENDERS * 9),
  }));
  for (const { lock } of rounds) await leaveLock(lock, by);
  const contenders = Array.from({ length: CONTENDERS }, () => startChild("holdLock", { rounds, staleMs }));
  const said = (await Promise.all(contenders.map((child) => finished<Entered>(child)))).flat();
  const entries = said.filter((line) => line.alone !== undefined);
  expect(entries).toHaveLength(BATCH * CONTENDERS);
  expect(entries.filter((entry) => !entry.alone)).toEqual([]);
  expect(said.filter((line) => line.ours === false)).toEqual([]);
  expect(await readdir(dir)).toEqual([]);
  return rounds.map(({ lock }) => {
    const own = entries.filter((entry) => entry.lock === lock);
    return Math.min(...own.map((entry) => entry.entered ?? 0)) - Math.min(...own.map((entry) => entry.asked ?? 0));
  });
}

test("a holder that was killed is followed at once (row 59)", async () => {
  const lock = join(dir, "a.json.lock");
  const doomed = await startChild("holdLock", { rounds: [{ lock, at: 0 }], staleMs: NEVER_STALE, die: true });
  expect((await doomed.done).signal).toBe("SIGKILL");
  expect(await readdir(dir)).toContain("a.json.lock");
  await rm(`${lock}.inside`);
  const heirs = Array.from({ length: 6 }, () =>
    startChild("holdLock", { rounds: [{ lock, at: Date.now() + 300 }], staleMs: NEVER_STALE }),
  );
  const said = (await Promise.all(heirs.map((child) => finished<Entered>(child)))).flat();
  expect(said.filter((line) => line.alone)).toHaveLength(6);
  expect(await readdir(dir)).toEqual([]);
});

test("a holder that was stopped for longer than a lock lasts must not commit", async () => {
  const lock = join(dir, "a.json.lock");
  const rounds = [{ lock, at: 0 }];
  const stopped = await startChild("holdLock", { rounds, staleMs: 1_000, lingerMs: 300 });
  while (stopped.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stopped.child.kill("SIGSTOP");
  await rm(`${lock}.inside`);
  const [entered] = await finished<Entered>(startChild("holdLock", { rounds, staleMs: 1_000 }));
  expect(entered?.alone).toBe(true);
  stopped.child.kill("SIGCONT");
  expect((await finished<Entered>(Promise.resolve(stopped))).at(-1)?.ours).toBe(false);
});

test("a change whose lock was lost is refused, and the file stays as it was", async () => {
  let steal = async () => {};
  const fs: typeof nodeStoreFs = {
    ...nodeStoreFs,
    async writeNew(path, data, sync) {
      await nodeStoreFs.writeNew(path, data, sync);
      await steal();
    },
  };
  await using temp = await openTempStore({ fs });
  await using other = await openTempStore({ root: temp.root });
  await createDemo(other.store, "alice", "bob");
  const lock = join(temp.root, "teams/demo/inboxes/bob.json.lock");
  steal = async () => {
    steal = async () => {};
    await rm(lock, { recursive: true });
    await mkdir(lock);
    await rm(`${lock}.owner`, { force: true });
  };
  const message = { from: "alice", to: ["bob"], text: "x" };
  await expect(temp.store.inboxes.send("demo", message)).rejects.toMatchObject({ reason: "lock_timeout" });
  expect(await other.store.inboxes.list("demo")).toEqual([]);
  expect(await readdir(join(temp.root, "teams/demo/inboxes"))).toEqual(["bob.json.lock"]);
  await expectHealthy(temp.root);
});

/** A lock as its last holder left it. */
async function leaveLock(lock: string, by: string): Promise<void> {
  await mkdir(lock);
  if (by === "dead") {
    const self = { ...(await machineProcesses().self()), pid: 2 ** 22 - 3, startTime: "1" };
    const processes = { self: async () => self, state: async () => "dead" as const };
    const ports = { fs: nodeStoreFs, processes, now: () => Date.now(), staleMs: 0 };
    await writeOwner(lock, lockInstance(await nodeStoreFs.stat(lock)), ports);
  } else {
    const old = new Date(Date.now() - 60_000);
    await utimes(lock, old, old);
  }
}
