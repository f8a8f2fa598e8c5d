import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { type TeamChange, watchInbox, watchRoot, watchTeam } from "../../../src/store/watcher.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

/** Watches `demo`; `seen` waits until a change was told. */
async function watching(store: Store): Promise<{ changes: TeamChange[]; seen(change: TeamChange): Promise<void> }> {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const changes: TeamChange[] = [];
  watchTeam(store, "demo", (change) => changes.push(change), stop.signal);
  await settle();
  return {
    changes,
    seen: (change) => vi.waitFor(() => expect(changes).toContainEqual(change), { timeout: 10_000, interval: 5 }),
  };
}

/** Watchers start in the background. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 150));

describe("a watched team", () => {
  test("tells of every kind of change, ours and a foreign writer's in place", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice", "bob");
    const { seen } = await watching(store);
    await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "x" });
    await seen({ kind: "inbox", name: "bob" });
    await store.tasks.create("demo", { subject: "one" });
    await seen({ kind: "task", name: "1" });
    await store.teams.updateMember("demo", "bob", { mode: "plan" });
    await seen({ kind: "config" });
    await writeFile(join(root, "teams/demo/inboxes/alice.json"), "[]");
    await seen({ kind: "inbox", name: "alice" });
    const presence = {
      incarnation: "i",
      state: "idle" as const,
      since: 1,
      beat: 2,
      pid: 3,
      host: "h",
      startTime: null,
    };
    await store.presence.write("demo", "bob", presence);
    await seen({ kind: "presence", name: "bob" });
    await store.leads.acquire("demo", "s");
    await seen({ kind: "lead" });
  });

  test("tells of files in folders that appear only later", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const { seen, changes } = await watching(temp.store);
    const record = { kind: "session", at: "x", sessionId: "s", agent: "bob" } as const;
    const append = async () => {
      await temp.store.transcripts.append({ team: "demo", agent: "bob" }, record);
      await temp.store.live.write("demo", "bob", "…");
      expect(changes).toContainEqual({ kind: "transcript", name: "bob" });
      expect(changes).toContainEqual({ kind: "live", name: "bob" });
    };
    await vi.waitFor(append, { timeout: 10_000, interval: 50 });
    await seen({ kind: "transcript", name: "bob" });
  });

  test("that is deleted is told as gone, once, and nothing after it", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const { seen, changes } = await watching(temp.store);
    await temp.store.teams.delete("demo", { keepHistory: true, now: 0 });
    await seen({ kind: "gone" });
    const count = changes.length;
    await createDemo(temp.store, "bob");
    await settle();
    expect(changes).toHaveLength(count);
    expect(changes.filter((change) => change.kind === "gone")).toHaveLength(1);
  });

  test("that has lost its config.json for longer than a write takes is gone too", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const { seen, changes } = await watching(temp.store);
    const config = join(temp.root, "teams/demo/config.json");
    const text = await readFile(config, "utf8");
    await rm(config); // as an editor writes it
    await settle();
    await writeFile(config, text);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(changes).not.toContainEqual({ kind: "gone" });
    await rm(config);
    await seen({ kind: "gone" });
  });

  test("is found changed by the slow look where events are missing", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const told = vi.fn();
    // the folder is watched under a name that events do not carry
    const ports = { paths: store.paths, logger: store.logger, fs: store.fs, pollMs: { trusting: 20, doubting: 20 } };
    watchInbox(ports, "demo", "bob", told, stop.signal);
    await settle();
    const before = told.mock.calls.length;
    await store.inboxes.send("demo", { from: "user", to: ["bob"], text: "x" });
    await vi.waitFor(() => expect(told.mock.calls.length).toBeGreaterThan(before), { timeout: 10_000 });
  });

  test("that nobody changes is told of by no slow look, and a change is", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "alice", "bob");
    await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "x" });
    await store.tasks.create("demo", { subject: "one" });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const told: TeamChange[] = [];
    const looked = vi.fn();
    const list = (path: string) => {
      looked();
      return store.fs.list(path);
    };
    const fs = { ...store.fs, list };
    const ports = { paths: store.paths, logger: store.logger, fs, pollMs: { trusting: 20, doubting: 10 } };
    watchTeam(ports, "demo", (change) => told.push(change), stop.signal);
    await settle();
    told.length = 0;
    looked.mockClear();
    await vi.waitFor(() => expect(looked.mock.calls.length).toBeGreaterThan(30), { timeout: 10_000 });
    expect(told).toEqual([]);
    await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "y" });
    await vi.waitFor(() => expect(told).toContainEqual({ kind: "inbox", name: "bob" }), { timeout: 10_000 });
  });

  test("stops when it is told to", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const stop = new AbortController();
    const told = vi.fn();
    watchTeam(temp.store, "demo", told, stop.signal);
    await settle();
    stop.abort();
    await temp.store.inboxes.send("demo", { from: "user", to: ["bob"], text: "x" });
    await settle();
    expect(told).not.toHaveBeenCalled();
  });
});

test("the root tells of teams that come and end, also where its folders are not there yet", async () => {
  await using temp = await openTempStore();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const told = vi.fn();
  watchRoot(temp.store, told, stop.signal);
  await settle();
  await createDemo(temp.store);
  await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: 10_000 });
  told.mockClear();
  await temp.store.teams.delete("demo", { keepHistory: true, now: 0 });
  await vi.waitFor(() => expect(told).toHaveBeenCalled(), { timeout: 10_000 });
});

describe("a snapshot", () => {
  test("has everything, and parts whose files did not change are the same objects", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "alice", "Ann Lee");
    await store.inboxes.send("demo", { from: "alice", to: ["Ann Lee"], text: "x" });
    await store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: "y" });
    await store.tasks.create("demo", { subject: "one", owner: "alice" });
    await store.leads.acquire("demo", "s");
    await new Promise((resolve) => setTimeout(resolve, 80)); // dates this fresh are not trusted
    const first = await store.snapshots.read("demo");
    expect([...first.inboxes.keys()].sort()).toEqual([expect.stringMatching(/^Ann-Lee-/), "team-lead"]);
    expect(first.graph.tasks.get("1")?.owner).toBe("alice");
    expect(first.lead?.sessionId).toBe("s");
    expect(first).toMatchObject({ team: "demo", generation: "G1", finishedAt: null, faults: [] });
    await store.snapshots.read("demo");
    await store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: "z" });
    const second = await store.snapshots.read("demo");
    const third = await store.snapshots.read("demo");
    expect(second.inboxes.get("team-lead")?.entries).toHaveLength(2);
    expect(third.config).toBe(second.config);
    const [annLee = ""] = [...second.inboxes.keys()];
    expect(third.inboxes.get(annLee)).toBe(second.inboxes.get(annLee));
  });

  test("sees two writes of one size within one tick of the clock", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await store.tasks.create("demo", { subject: "aaa" });
    const path = join(root, "tasks/demo/1.json");
    const text = await readFile(path, "utf8");
    for (const subject of ["bbb", "ccc", "ddd", "eee"]) {
      await writeFile(path, text.replace("aaa", subject));
      expect((await store.snapshots.read("demo")).graph.tasks.get("1")?.subject).toBe(subject);
    }
  });

  test("of a team that is gone or never was is unknown_team", async () => {
    await using temp = await openTempStore();
    await expect(temp.store.snapshots.read("demo")).rejects.toMatchObject({ reason: "unknown_team" });
    await mkdir(join(temp.root, "teams/demo"), { recursive: true });
    await expect(temp.store.snapshots.read("demo")).rejects.toMatchObject({ reason: "unknown_team" });
    await expect(temp.store.snapshots.readFinished("demo-20261127-210000")).rejects.toMatchObject({
      reason: "unknown_team",
    });
  });
});
