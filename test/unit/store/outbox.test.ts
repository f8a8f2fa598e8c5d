import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inboxPath, outboxLines, rawInbox, sendToBob } from "../../support/inboxFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("the outbox", () => {
  const dead = { pid: 2 ** 22 + 1, host: "here", startTime: "1" };

  /** What a process that was killed between writing down and sending leaves. */
  async function leaveUnsent(root: string, to: string, text: string, id: string, incarnation?: string): Promise<void> {
    const entry = { from: "alice", text, timestamp: "2026-11-27T20:00:00.000Z", msgV: 1, msg_id: id, type: "message" };
    const muster = incarnation === undefined ? {} : { muster: { incarnation } };
    const line = {
      op: "send",
      msg_id: id,
      to,
      mustArrive: false,
      by: dead,
      entry: { ...entry, read: false, ...muster },
    };
    await mkdir(join(root, "teams/demo/muster/outbox"), { recursive: true });
    await writeFile(join(root, "teams/demo/muster/outbox/alice.jsonl"), `${JSON.stringify(line)}\n{"op":"send","msg_`);
  }

  const processes = {
    self: async () => ({ pid: process.pid, host: "here", startTime: "2" }),
    state: async (identity: { pid: number }) => (identity.pid === dead.pid ? ("dead" as const) : ("alive" as const)),
  };

  test("of a process that died is sent at the next start, once", async () => {
    await using temp = await openTempStore({ processes });
    await createDemo(temp.store, "alice", "bob");
    await leaveUnsent(temp.root, "bob", "unsent", "id-1");
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([{ to: "bob", msgId: "id-1" }]);
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["unsent"]);
  });

  test("is not sent again where it arrived before the crash, even if it is read and in the archive", async () => {
    await using temp = await openTempStore({ processes });
    await createDemo(temp.store, "alice", "bob");
    await temp.store.inboxes.appendRecord("demo", "bob", { from: "alice", text: "arrived", msgId: "id-1" });
    await leaveUnsent(temp.root, "bob", "arrived", "id-1");
    await temp.store.inboxes.retire("demo", "bob");
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
    expect((await temp.store.inboxes.readAll("demo", "bob")).entries).toHaveLength(1);
  });

  test("to a member that is gone, or that is another one by now, is dropped", async () => {
    await using temp = await openTempStore({ processes });
    await createDemo(temp.store, "alice", "bob");
    await leaveUnsent(temp.root, "bob", "for the old bob", "id-1", "an-earlier-incarnation");
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
    await leaveUnsent(temp.root, "carol", "for nobody", "id-2");
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
    expect(await temp.store.inboxes.list("demo")).toEqual([]);
  });

  test("of a process that is still at it is left alone", async () => {
    const alive = { ...processes, state: async () => "alive" as const };
    await using temp = await openTempStore({ processes: alive });
    await createDemo(temp.store, "alice", "bob");
    await leaveUnsent(temp.root, "bob", "soon", "id-1");
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
    expect(await temp.store.inboxes.list("demo")).toEqual([]);
  });

  test("does not grow for ever, and still knows what was sent", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const [first] = await sendToBob(temp.store, "first");
    for (let index = 0; index < 24; index += 1) await sendToBob(temp.store, "x".repeat(30_000));
    const { size } = await stat(join(temp.root, "teams/demo/muster/outbox/alice.jsonl"));
    expect(size).toBeLessThan(512 * 1024);
    expect(await temp.store.inboxes.wrote("demo", "alice", first?.msgId ?? "")).toBe(true);
  });

  test("keeps the newest messages that had authority whole, for the time after a restart", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await sendToBob(temp.store, "as a command sends it");
    const own = { authority: true };
    for (let index = 0; index < 24; index += 1) await sendToBob(temp.store, `${index} ${"x".repeat(30_000)}`, own);
    const large = "y".repeat(100_000);
    await sendToBob(temp.store, large, own);
    const letters = await temp.store.inboxes.letters("demo", "alice");
    expect(letters.length).toBeGreaterThanOrEqual(4);
    expect(letters.at(-1)).toMatchObject({ to: "bob", text: large });
    const { entries } = await temp.store.inboxes.read("demo", "bob");
    expect(letters.map(({ id }) => id)).toEqual(entries.slice(-letters.length).map((entry) => entry.msg_id));
    expect(await temp.store.inboxes.letters("demo", "bob")).toEqual([]);
    await sendToBob(temp.store, "as a command sends it");
    expect((await temp.store.inboxes.letters("demo", "alice")).map(({ text }) => text)).not.toContain(
      "as a command sends it",
    );
  });
});

describe("a message that must arrive", () => {
  test("is sent again when a foreign writer overwrote it", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await sendToBob(temp.store, "earlier");
    const before = await readFile(inboxPath(temp.root, "bob"), "utf8");
    await sendToBob(temp.store, "shut down", { mustArrive: true });
    await writeFile(inboxPath(temp.root, "bob"), before);
    await temp.store.inboxes.settled();
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["earlier", "shut down"]);
    expect((await outboxLines(temp.root, "alice")).at(-1)?.op).toBe("done");
  });

  test("is not sent again to a member of a later generation that has read and removed it", async () => {
    await using temp = await openTempStore();
    const member = (name: string) => ({ agentId: `${name}@demo`, name, joinedAt: 1 });
    const config = { name: "demo", leadProcess: { pid: 1 }, members: ["team-lead", "bob"].map(member) };
    await temp.store.texts.write(join(temp.root, "teams/demo/config.json"), JSON.stringify(config));
    await sendToBob(temp.store, "earlier");
    await sendToBob(temp.store, "assignment", { mustArrive: true });
    await writeFile(inboxPath(temp.root, "bob"), "[]");
    await temp.store.inboxes.settled();
    expect(await readFile(inboxPath(temp.root, "bob"), "utf8")).toBe("[]");
  });
});
