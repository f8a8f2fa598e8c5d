import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { fastRoot, finished, startChild } from "./storeProcesses.ts";

const reach = reachOf("claims");

describe.each(
  reach.pick(
    [
      { claimers: 8, total: 20 },
      { claimers: 16, total: 100 },
    ],
    [{ claimers: 64, total: 2_000 }],
  ),
)("$claimers processes that claim $total tasks", ({ claimers, total }) => {
  test("give each task one owner, never a blocked one, one at a time (row 62)", {
    timeout: reach.timeout(300_000),
  }, async () => {
    await using temp = await openTempStore({ root: await fastRoot() });
    const { store } = temp;
    const names = Array.from({ length: claimers }, (_, index) => `worker-${index}`);
    await createDemo(store, ...names);
    await writeTasks(temp.root, total);
    const until = reach.until();
    const input = { root: temp.root, total, ...(reach.isLong ? { until } : {}) };
    const processes = names.map((by) => startChild("claimTasks", { ...input, by }));
    const said = await Promise.all(
      processes.map((process) => finished<{ claimed: string; blocked: boolean; inProgress: string[] }>(process)),
    );
    const claims = said.flat();
    const claimed = claims.map((claim) => Number(claim.claimed)).sort((a, b) => a - b);
    expect(new Set(claimed).size).toBe(claimed.length);
    if (Date.now() < until) expect(claimed).toEqual(Array.from({ length: total }, (_, index) => index + 1));
    expect(claims.filter((claim) => claim.blocked)).toEqual([]);
    for (const claim of claims) expect(claim.inProgress).toEqual([claim.claimed]);
    const { tasks } = await store.tasks.list("demo");
    for (const [index, lines] of said.entries()) {
      for (const claim of lines) expect(tasks.get(claim.claimed)?.owner).toBe(names[index]);
    }
    expect((await store.doctor.check()).faults).toEqual([]);
    reach.reached(claimed.length);
    console.log(`${claimers} × ${total}: ${claimed.length} claimed, one owner each`);
  });
});

/** Tasks as a list holds them; every fifth waits for the one before it. */
async function writeTasks(root: string, total: number): Promise<void> {
  for (let id = 1; id <= total; id += 1) {
    const blocks = id % 5 === 4 && id < total ? [String(id + 1)] : [];
    const blockedBy = id % 5 === 0 ? [String(id - 1)] : [];
    const task = { id: String(id), subject: `task ${id}`, description: "", status: "pending", blocks, blockedBy };
    await writeFile(join(root, `tasks/demo/${id}.json`), JSON.stringify(task, null, 2));
  }
}
