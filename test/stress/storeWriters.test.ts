import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { fastRoot, finished, percentile, startChild } from "./storeProcesses.ts";

interface Sent {
  ok?: string;
  fail?: string;
  ms?: number;
}

const reach = reachOf("writers");

describe.each(
  reach.pick(
    [
      { writers: 8, each: 50 },
      { writers: 16, each: 100 },
    ],
    [{ writers: 64, each: 1_000 }],
  ),
)("$writers processes that send $each messages each into one inbox", ({ writers, each }) => {
  test("lose none, and the file is whole at every look (row 1)", { timeout: reach.timeout(300_000) }, async () => {
    await using temp = await openTempStore({ root: await fastRoot() });
    const names = Array.from({ length: writers }, (_, index) => `writer-${index}`);
    await createDemo(temp.store, "reader", ...names);
    const until = reach.until();
    const input = { root: temp.root, to: ["reader"], count: each, ...(reach.isLong ? { until } : {}) };
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
    expect(said.flat().filter((line) => line.fail)).toEqual([]);
    if (Date.now() < until) expect(acknowledged).toHaveLength(writers * each);
    const { entries, faults } = await temp.store.inboxes.readAll("demo", "reader");
    expect(faults).toEqual([]);
    expect(entries.map((entry) => entry.text).sort()).toEqual([...acknowledged].sort());
    for (const name of names) {
      const own = entries.filter((entry) => entry.from === name).map((entry) => entry.text);
      expect(own).toEqual(own.map((_, index) => `${name} ${index}`));
    }
    expect((await temp.store.doctor.check()).faults).toEqual([]);
    const times = said.flat().flatMap((line) => line.ms ?? []);
    reach.reached(acknowledged.length);
    console.log(
      `${writers} × ${each}: ${acknowledged.length} sent, p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms, ${looks} looks`,
    );
  });
});
