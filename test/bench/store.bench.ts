import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { watchInbox } from "../../src/store/watcher.ts";
import { finished, percentile, startChild } from "../stress/storeProcesses.ts";
import { createDemo, openTempStore, type TempStore } from "../support/tempStore.ts";

/** Figures of the store on this machine's own disk; nothing is asserted. */
await appends();
await throughput(1, 300);
await throughput(16, 60);
await snapshots();
await notices();

/** One append at a time to an inbox of so many read messages, sent and read as in use. */
async function appends(): Promise<void> {
  for (const size of [100, 1_000, 10_000]) {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await fill(temp, "bob", size);
    await read(temp, await send(temp)); // the one that finds the inbox past the bound moves the oldest to the archive
    const times: number[] = [];
    for (let index = 0; index < 100; index += 1) {
      const begun = performance.now();
      const id = await send(temp);
      times.push(performance.now() - begun);
      await read(temp, id);
    }
    report(`append beside ${size} read messages`, times);
  }
}

async function throughput(processes: number, each: number): Promise<void> {
  await using temp = await openTempStore();
  const names = Array.from({ length: processes }, (_, index) => `writer-${index}`);
  await createDemo(temp.store, "reader", ...names);
  const begun = performance.now();
  const said = await Promise.all(
    names.map((from) =>
      finished<{ ok?: string; ms?: number }>(
        startChild("sendMessages", { root: temp.root, from, to: ["reader"], count: each }),
      ),
    ),
  );
  const seconds = (performance.now() - begun) / 1_000;
  const times = said.flat().flatMap((line) => line.ms ?? []);
  const rate = (times.length / seconds).toFixed(0);
  report(
    `${processes} process${processes > 1 ? "es" : ""} into one inbox: ${rate} appends a second (with their start)`,
    times,
  );
}

async function snapshots(): Promise<void> {
  await using temp = await openTempStore();
  const { store, root } = temp;
  const names = Array.from({ length: 20 }, (_, index) => `member-${index}`);
  await createDemo(store, ...names);
  for (const name of names) await fill(temp, name, 1_000);
  for (let id = 1; id <= 1_000; id += 1) {
    const task = {
      id: String(id),
      subject: `Task ${id}`,
      description: "x".repeat(300),
      status: "pending",
      blocks: [],
      blockedBy: [],
    };
    await writeFile(join(root, `tasks/demo/${id}.json`), JSON.stringify(task, null, 2));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  await using cold = await openTempStore({ root });
  const begun = performance.now();
  await cold.store.snapshots.read("demo");
  console.log(
    `snapshot of 1,000 tasks and 20 inboxes of 1,000 messages, cold: ${(performance.now() - begun).toFixed(0)} ms`,
  );
  const times: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    await cold.store.tasks.update("demo", "7", { description: `${index}` }, { by: "user", isAgent: false });
    const changed = performance.now();
    await cold.store.snapshots.read("demo");
    times.push(performance.now() - changed);
  }
  report("the same after a change to one file", times);
}

/** From another process's rename to the callback, and to the new snapshot. */
async function notices(): Promise<void> {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  const stop = new AbortController();
  const inbox = temp.store.paths.team("demo").inbox("bob");
  let seen = (_at: number) => {};
  let snapped = (_at: number) => {};
  watchInbox(temp.store, "demo", "bob", () => seen(now()), stop.signal);
  const look = async () => {
    await temp.store.snapshots.read("demo");
    snapped(now());
  };
  temp.store.watch("demo", (change) => void (change.kind === "inbox" && look()), stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const callbacks: number[] = [];
  const views: number[] = [];
  seen = (at) => callbacks.push(at);
  snapped = (at) => views.push(at);
  const child = await startChild("renameInbox", { path: inbox, count: 100, everyMs: 40 });
  await child.done;
  await new Promise((resolve) => setTimeout(resolve, 100));
  const renames = child.said.map((line) => (line as { at: number }).at);
  const toCallback = renames.map((at) => first(callbacks, at) - at);
  const toSnapshot = renames.map((at) => first(views, at) - at);
  stop.abort();
  report("rename by another process → watchInbox calls back", toCallback);
  report("rename by another process → new snapshot", toSnapshot);
}

function first(times: readonly number[], after: number): number {
  return times.find((time) => time >= after) ?? Number.NaN;
}

/** Milliseconds that two processes of one machine can compare. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

async function send({ store }: TempStore): Promise<string> {
  const text = "A message of usual length. ".repeat(8);
  const [sent] = await store.inboxes.send("demo", { from: "alice", to: ["bob"], text });
  return sent?.msgId ?? "";
}

async function read({ store }: TempStore, id: string): Promise<void> {
  await store.inboxes.markRead("demo", "bob", [id]);
}

async function fill({ root }: TempStore, agent: string, size: number): Promise<void> {
  const entries = Array.from({ length: size }, (_, index) => ({
    from: "alice",
    text: "A message of usual length. ".repeat(8),
    timestamp: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
    msgV: 1,
    msg_id: `old-${index}`,
    type: "message",
    read: true,
  }));
  await writeFile(join(root, `teams/demo/inboxes/${agent}.json`), JSON.stringify(entries, null, 2));
}

function report(what: string, times: readonly number[]): void {
  const at = (share: number) => percentile(times, share).toFixed(1);
  console.log(`${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`);
}
