import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Entry, messageId } from "../../../src/protocol/message.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { eventually } from "../../support/eventually.ts";
import { refuseWith } from "../../support/faultFs.ts";
import { fillInbox, inboxPath, outboxLines, rawInbox, sendToBob } from "../../support/inboxFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("sending", () => {
  test("writes the entry with the reference's keys, in its order, and marks it as sent", async () => {
    await using temp = await openTempStore();
    const members = await createDemo(temp.store, "alice", "bob");
    const [sent] = await sendToBob(temp.store, "hello", { summary: "greets", color: "blue" });
    const [entry] = await rawInbox(temp.root, "bob");
    expect(Object.keys(entry ?? {})).toEqual([
      "from",
      "text",
      "summary",
      "timestamp",
      "color",
      "msgV",
      "msg_id",
      "type",
      "read",
      "muster",
    ]);
    expect(entry).toMatchObject({ from: "alice", text: "hello", msgV: 1, type: "message", read: false });
    expect(entry?.msg_id).toBe(sent?.msgId);
    expect(entry?.muster?.incarnation).toBe(members[1]?.muster?.incarnation);
    expect(entry?.muster?.["fromIncarnation"]).toBe(members[0]?.muster?.incarnation);
    expect((await outboxLines(temp.root, "alice")).map((line) => line.op)).toEqual(["send", "done"]);
    expect(await temp.store.inboxes.wrote("demo", "alice", sent?.msgId ?? "")).toBe(true);
    expect(await temp.store.inboxes.wrote("demo", "bob", sent?.msgId ?? "")).toBe(false);
  });

  test("by name, display name or name@team; each recipient gets one entry", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "Ann Lee");
    const sent = await temp.store.inboxes.send("demo", {
      from: "user",
      to: ["Ann Lee", "alice@demo", "alice", "TEAM-LEAD"],
      text: "all",
    });
    expect(sent.map((one) => one.to)).toEqual([expect.stringMatching(/^Ann-Lee-/), "alice", "team-lead"]);
    expect(await rawInbox(temp.root, "alice")).toHaveLength(1);
  });

  test("to a name that is no member, or none any more, names the members and writes nothing, not even for the others (row 10)", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await temp.store.teams.removeMember("demo", "bob");
    const sending = temp.store.inboxes.send("demo", { from: "user", to: ["alice", "bob"], text: "x" });
    await expect(sending).rejects.toMatchObject({
      reason: "unknown_member",
      message: expect.stringContaining("team-lead, alice"),
    });
    expect(await temp.store.inboxes.list("demo")).toEqual([]);
    expect(await readdir(join(temp.root, "teams/demo/muster"))).toEqual(["config.last.json"]);
  });

  test("twice with one id is once", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await sendToBob(temp.store, "first", { msgId: "7f9c2f5e-0000-4000-8000-000000000001" });
    await sendToBob(temp.store, "again", { msgId: "7f9c2f5e-0000-4000-8000-000000000001" });
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["first"]);
  });

  test("fifty messages in a row, and then more after many polls, all arrive (row 15)", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    for (let index = 0; index < 50; index += 1) {
      await sendToBob(temp.store, `message ${index}`);
      const { entries } = await temp.store.inboxes.read("demo", "bob");
      expect(entries.filter((entry) => !entry.read).map((entry) => entry.text)).toEqual([`message ${index}`]);
      await temp.store.inboxes.markRead("demo", "bob", entries.map(messageId));
    }
    for (let poll = 0; poll < 10_000; poll += 1) await temp.store.inboxes.read("demo", "bob");
    await sendToBob(temp.store, "late");
    expect((await temp.store.inboxes.read("demo", "bob")).entries.at(-1)).toMatchObject({ text: "late", read: false });
  });

  test("signs what it is given a key for, over the whole text", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const text = "x".repeat(70_000);
    await sendToBob(temp.store, text, {
      sign: (entry: Entry, to: { name: string }) => `${to.name}:${entry.text.length}`,
    });
    expect((await rawInbox(temp.root, "bob"))[0]?.lead_sig).toBe("bob:70000");
  });
});

describe("a message that is not sent", () => {
  test("says so and changes nothing, where the folder may not be written; later it works (row 6)", async () => {
    await using temp = await openTempStore({ fs: { ...nodeStoreFs, makeDir: refuseWith("EACCES") } });
    await using other = await openTempStore({ root: temp.root });
    await createDemo(other.store, "alice", "bob");
    await sendToBob(other.store, "before");
    const before = await readFile(inboxPath(temp.root, "bob"), "utf8");
    await expect(sendToBob(temp.store, "lost")).rejects.toMatchObject({
      reason: "root_unreadable",
      message: expect.stringMatching(/^Not sent to bob: /),
    });
    expect(await readFile(inboxPath(temp.root, "bob"), "utf8")).toBe(before);
    await sendToBob(other.store, "after");
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["before", "after"]);
    expect((await outboxLines(temp.root, "alice")).map((line) => line.op)).toEqual([
      "send",
      "done",
      "fail",
      "send",
      "done",
    ]);
  });

  test("says so where the lock stays taken past the retries, and who was reached before (row 6)", async () => {
    await using temp = await openTempStore({ locks: { timeoutMs: 150 } });
    await createDemo(temp.store, "alice", "bob");
    await mkdir(`${inboxPath(temp.root, "bob")}.lock`);
    const sending = temp.store.inboxes.send("demo", { from: "user", to: ["alice", "bob"], text: "x" });
    await expect(sending).rejects.toMatchObject({
      reason: "lock_timeout",
      message: expect.stringMatching(/Not sent.*It was sent to alice\.$/),
    });
    await rm(`${inboxPath(temp.root, "bob")}.lock`, { recursive: true });
    await temp.store.inboxes.send("demo", { from: "user", to: ["bob"], text: "y" });
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["y"]);
    expect(await temp.store.inboxes.replayOutbox("demo", "user")).toEqual([]);
  });

  test("because the recipient has too many unread ones: the sender is told, and it works when some are read", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await fillInbox(temp.root, "bob", 5_000, 5_000);
    await expect(sendToBob(temp.store, "x")).rejects.toMatchObject({ reason: "backlog_full" });
    await temp.store.inboxes.markRead("demo", "bob", ["old-0"]);
    await sendToBob(temp.store, "x");
    expect((await temp.store.inboxes.read("demo", "bob")).entries.at(-1)?.text).toBe("x");
  });

  test("because the team was deleted says that, and makes no folder", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const [first] = await Promise.allSettled([
      sendToBob(temp.store, "x"),
      temp.store.teams.delete("demo", { keepHistory: false, now: 0 }),
    ]);
    if (first.status === "rejected") expect(first.reason).toMatchObject({ reason: "unknown_team" });
    await expect(sendToBob(temp.store, "y")).rejects.toMatchObject({ reason: "unknown_team" });
    expect(await readdir(join(temp.root, "teams"))).toEqual([]);
  });
});

describe("a message to a member that leaves while it waits for the inbox's lock", () => {
  test("is not sent, and its sender is told", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await sendToBob(temp.store, "before");
    const lock = `${inboxPath(temp.root, "bob")}.lock`;
    await mkdir(lock); // as another program takes it
    const sending = sendToBob(temp.store, "too late");
    const told = expect(sending).rejects.toMatchObject({
      reason: "unknown_member",
      message: "Not sent: bob has left team demo.",
    });
    await eventually("it to be written down", async () => (await outboxLines(temp.root, "alice")).length === 3);
    await temp.store.teams.removeMember("demo", "bob");
    const read = temp.store.inboxes.readLocked("demo", "bob");
    await rm(lock, { recursive: true });
    await told;
    expect((await read).entries.map(({ text }) => text)).toEqual(["before"]);
    expect(await temp.store.inboxes.replayOutbox("demo", "alice")).toEqual([]);
  });
});

describe("taking a message back", () => {
  test("takes nothing else along, is not undone by the look for what must arrive, and by no later start", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const { inboxes } = temp.store;
    const [first] = await sendToBob(temp.store, "stays");
    const [second] = await sendToBob(temp.store, "goes", { mustArrive: true });
    if (!first || !second) throw new Error("Nothing was sent.");
    await inboxes.takeBack("demo", "alice", second);
    await inboxes.settled();
    expect((await rawInbox(temp.root, "bob")).map(({ text }) => text)).toEqual(["stays"]);
    expect(await inboxes.replayOutbox("demo", "alice")).toEqual([]);
    await inboxes.takeBack("demo", "alice", first);
    expect(await inboxes.list("demo")).not.toContain("bob");
    await inboxes.takeBack("demo", "alice", first); // nothing is there any more
    await sendToBob(temp.store, "again");
    expect((await rawInbox(temp.root, "bob")).map(({ text }) => text)).toEqual(["again"]);
  });
});
