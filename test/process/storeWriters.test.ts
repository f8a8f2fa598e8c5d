import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { count, fastRoot, finished, LONG, percentile, startChild } from "./storeProcesses.ts";

interface Sent {
  ok?: string;
  ms?: number;
}

describe.each([
  { writers: 8, each: 50 },
  { writers: count(16, 64), each: count(100, 1_000) },
])("$writers processes that send $each messages each into one inbox", ({ writers, each }) => {
  test("lose none, and the file is whole at every look (row 1)", { timeout: LONG ? 1_200_000 : 300_000 }, async () => {
    await using temp = await openTempStore();
    const names = Array.from({ length: writers }, (_, index) => `writer-${index}`);
    await createDemo(temp.store, "reader", ...names);
    const input = { root: temp.root, to: ["reader"], count: each };
    const processes = names.map((from) => startChild("sendMessages", { ...input, from }));
    let running = true;
    let looks = 0;
    const looking = (async () => {
      while (running) {
        const text = await readFile(join(temp.root, "teams/demo/inboxes/reader.json"), "utf8").catch(() => "[]");
        expect(Array.isArray(JSON.parse(text))).toBe(true);
        looks += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        // what is read makes room: the backlog is bounded
        const { entries } = await temp.store.inboxes.read("demo", "reader");
        const unread = entries.flatMap((entry) => (entry.read || !entry.msg_id ? [] : [entry.msg_id]));
        if (unread.length > 500) await temp.store.inboxes.markRead("demo", "reader", unread);
      }
    })();
    const said = await Promise.all(processes.map((process) => finished<Sent>(process)));
    running = false;
    await looking;
    const acknowledged = said.flat().flatMap((line) => line.ok ?? []);
    expect(acknowledged).toHaveLength(writers * each);
    const { entries, faults } = await temp.store.inboxes.readAll("demo", "reader");
    expect(faults).toEqual([]);
    expect(entries.map((entry) => entry.text).sort()).toEqual([...acknowledged].sort());
    for (const name of names) {
      const own = entries.filter((entry) => entry.from === name).map((entry) => entry.text);
      expect(own).toEqual(Array.from({ length: each }, (_, index) => `${name} ${index}`));
    }
    expect((await temp.store.doctor.check()).faults).toEqual([]);
    const times = said.flat().flatMap((line) => line.ms ?? []);
    console.log(
      `${writers} × ${each}: ${acknowledged.length} sent, p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms, ${looks} looks`,
    );
  });
});

describe.each([
  { claimers: 8, total: 20 },
  { claimers: count(16, 64), total: count(100, 2_000) },
])("$claimers processes that claim $total tasks", ({ claimers, total }) => {
  test("give each task one owner, never a blocked one, one at a time (row 62)", {
    timeout: LONG ? 1_200_000 : 300_000,
  }, async () => {
    await using temp = await openTempStore({ root: await fastRoot() });
    const { store } = temp;
    const names = Array.from({ length: claimers }, (_, index) => `worker-${index}`);
    await createDemo(store, ...names);
    // every fifth task waits for the one before it
    for (let id = 1; id <= total; id += 1) {
      const blockedBy = id % 5 === 0 ? [String(id - 1)] : [];
      await store.tasks.create("demo", { subject: `task ${id}`, blockedBy });
    }
    const processes = names.map((by) => startChild("claimTasks", { root: temp.root, by, total }));
    const said = await Promise.all(
      processes.map((process) => finished<{ claimed: string; blocked: boolean; inProgress: string[] }>(process)),
    );
    const claims = said.flat();
    expect(claims.map((claim) => Number(claim.claimed)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: total }, (_, index) => index + 1),
    );
    expect(claims.filter((claim) => claim.blocked)).toEqual([]);
    for (const { claimed, inProgress } of claims) expect(inProgress).toEqual([claimed]);
    const { tasks } = await store.tasks.list("demo");
    for (const [index, lines] of said.entries()) {
      for (const { claimed } of lines) expect(tasks.get(claimed)?.owner).toBe(names[index]);
    }
    expect((await store.doctor.check()).faults).toEqual([]);
  });
});
