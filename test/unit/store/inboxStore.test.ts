import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Entry, messageId } from "../../../src/protocol/message.ts";
import { isFor } from "../../../src/store/messageSender.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { faultFs } from "../../support/faultFs.ts";
import { addMember, createDemo, openTempStore } from "../../support/tempStore.ts";

const inboxPath = (root: string, agent: string) => join(root, `teams/demo/inboxes/${agent}.json`);
const rawInbox = async (root: string, agent: string): Promise<Entry[]> =>
  JSON.parse(await readFile(inboxPath(root, agent), "utf8"));
const outbox = async (root: string, agent: string) =>
  (await readFile(join(root, `teams/demo/muster/outbox/${agent}.jsonl`), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { op: string; msg_id: string });
const send = (store: Store, text: string, more: object = {}) =>
  store.inboxes.send("demo", { from: "alice", to: ["bob"], text, ...more });

/** An inbox with so many entries, the last `unread` of them unread, as a foreign writer leaves it. */
async function fill(root: string, agent: string, count: number, unread = 0): Promise<void> {
  const entries = Array.from({ length: count }, (_, index) => ({
    from: "alice",
    text: `old ${index}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
    msg_id: `old-${index}`,
    read: index < count - unread,
  }));
  await writeFile(inboxPath(root, agent), JSON.stringify(entries, null, 2));
}

describe("sending", () => {
  test("writes the entry with the reference's keys, in its order, and marks it as sent", async () => {
    await using temp = await openTempStore();
    const members = await createDemo(temp.store, "alice", "bob");
    const [sent] = await send(temp.store, "hello", { summary: "greets", color: "blue" });
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
    expect((await outbox(temp.root, "alice")).map((line) => line.op)).toEqual(["send", "done"]);
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
    await send(temp.store, "first", { msgId: "7f9c2f5e-0000-4000-8000-000000000001" });
    await send(temp.store, "again", { msgId: "7f9c2f5e-0000-4000-8000-000000000001" });
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["first"]);
  });

  test("fifty messages in a row, and then more after many polls, all arrive (row 15)", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    for (let index = 0; index < 50; index += 1) {
      await send(temp.store, `message ${index}`);
      const { entries } = await temp.store.inboxes.read("demo", "bob");
      expect(entries.filter((entry) => !entry.read).map((entry) => entry.text)).toEqual([`message ${index}`]);
      await temp.store.inboxes.markRead("demo", "bob", entries.map(messageId));
    }
    for (let poll = 0; poll < 10_000; poll += 1) await temp.store.inboxes.read("demo", "bob");
    await send(temp.store, "late");
    expect((await temp.store.inboxes.read("demo", "bob")).entries.at(-1)).toMatchObject({ text: "late", read: false });
  });

  test("signs what it is given a key for, over the whole text", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const text = "x".repeat(70_000);
    await send(temp.store, text, { sign: (entry: Entry, to: { name: string }) => `${to.name}:${entry.text.length}` });
    expect((await rawInbox(temp.root, "bob"))[0]?.lead_sig).toBe("bob:70000");
  });
});

describe("a message that is not sent", () => {
  test("says so and changes nothing, where the folder may not be written; later it works (row 6)", async () => {
    await using temp = await openTempStore({ fs: { ...nodeStoreFs, makeDir: refuse("EACCES") } });
    await using other = await openTempStore({ root: temp.root });
    await createDemo(other.store, "alice", "bob");
    await send(other.store, "before");
    const before = await readFile(inboxPath(temp.root, "bob"), "utf8");
    await expect(send(temp.store, "lost")).rejects.toMatchObject({
      reason: "root_unreadable",
      message: expect.stringMatching(/^Not sent to bob: /),
    });
    expect(await readFile(inboxPath(temp.root, "bob"), "utf8")).toBe(before);
    await send(other.store, "after");
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["before", "after"]);
    expect((await outbox(temp.root, "alice")).map((line) => line.op)).toEqual(["send", "done", "fail", "send", "done"]);
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
    await fill(temp.root, "bob", 5_000, 5_000);
    await expect(send(temp.store, "x")).rejects.toMatchObject({ reason: "backlog_full" });
    await temp.store.inboxes.markRead("demo", "bob", ["old-0"]);
    await send(temp.store, "x");
    expect((await temp.store.inboxes.read("demo", "bob")).entries.at(-1)?.text).toBe("x");
  });

  test("because the team was deleted says that, and makes no folder", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const [first] = await Promise.allSettled([
      send(temp.store, "x"),
      temp.store.teams.delete("demo", { keepHistory: false, now: 0 }),
    ]);
    if (first.status === "rejected") expect(first.reason).toMatchObject({ reason: "unknown_team" });
    await expect(send(temp.store, "y")).rejects.toMatchObject({ reason: "unknown_team" });
    expect(await readdir(join(temp.root, "teams"))).toEqual([]);
  });
});

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
    const [first] = await send(temp.store, "first");
    for (let index = 0; index < 24; index += 1) await send(temp.store, "x".repeat(30_000));
    const { size } = await stat(join(temp.root, "teams/demo/muster/outbox/alice.jsonl"));
    expect(size).toBeLessThan(512 * 1024);
    expect(await temp.store.inboxes.wrote("demo", "alice", first?.msgId ?? "")).toBe(true);
  });

  test("keeps the newest messages whole, for the time after a restart", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    for (let index = 0; index < 24; index += 1) await send(temp.store, `${index} ${"x".repeat(30_000)}`);
    const large = "y".repeat(100_000);
    await send(temp.store, large);
    const letters = await temp.store.inboxes.letters("demo", "alice");
    expect(letters.length).toBeGreaterThanOrEqual(4);
    expect(letters.at(-1)).toMatchObject({ to: "bob", text: large });
    const { entries } = await temp.store.inboxes.read("demo", "bob");
    expect(letters.map(({ id }) => id)).toEqual(entries.slice(-letters.length).map((entry) => entry.msg_id));
    expect(await temp.store.inboxes.letters("demo", "bob")).toEqual([]);
  });
});

describe("a message that must arrive", () => {
  test("is sent again when a foreign writer overwrote it", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    await send(temp.store, "earlier");
    const before = await readFile(inboxPath(temp.root, "bob"), "utf8");
    await send(temp.store, "shut down", { mustArrive: true });
    await writeFile(inboxPath(temp.root, "bob"), before);
    await temp.store.inboxes.settled();
    expect((await rawInbox(temp.root, "bob")).map((entry) => entry.text)).toEqual(["earlier", "shut down"]);
    expect((await outbox(temp.root, "alice")).at(-1)?.op).toBe("done");
  });

  test("is not sent again to a member of a later generation that has read and removed it", async () => {
    await using temp = await openTempStore();
    const member = (name: string) => ({ agentId: `${name}@demo`, name, joinedAt: 1 });
    const config = { name: "demo", leadProcess: { pid: 1 }, members: ["team-lead", "bob"].map(member) };
    await temp.store.texts.write(join(temp.root, "teams/demo/config.json"), JSON.stringify(config));
    await send(temp.store, "earlier");
    await send(temp.store, "assignment", { mustArrive: true });
    await writeFile(inboxPath(temp.root, "bob"), "[]");
    await temp.store.inboxes.settled();
    expect(await readFile(inboxPath(temp.root, "bob"), "utf8")).toBe("[]");
  });
});

describe("reading", () => {
  test("goes on beside malformed entries, which are told once and set aside by the next writer (row 4)", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    const valid = { from: "alice", text: "valid", timestamp: "2026-11-27T20:00:00.000Z", theirs: { kept: true } };
    const bad = [null, 7, "text", [], {}, { ...valid, from: undefined }, { ...valid, text: 4 }, deep({ ...valid })];
    await writeFile(inboxPath(root, "bob"), JSON.stringify([valid, ...bad], null, 2));
    for (let poll = 0; poll < 3; poll += 1) {
      const read = await store.inboxes.read("demo", "bob");
      expect(read.entries.map((entry) => entry.text)).toEqual(["valid"]);
      expect(read.faults).toHaveLength(bad.length);
    }
    expect(faults).toHaveLength(1);
    await send(store, "next");
    expect(await rawInbox(root, "bob")).toMatchObject([valid, { text: "next" }]);
    const [kept] = await readdir(join(root, "teams/demo/muster/corrupt"));
    expect(JSON.parse(await readFile(join(root, "teams/demo/muster/corrupt", kept ?? ""), "utf8"))).toHaveLength(9);
  });

  test("of a file that was cut off keeps every whole entry, sets the file aside and tells once", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    for (const text of ["one", "two", "three"]) await send(store, text);
    const whole = await readFile(inboxPath(root, "bob"), "utf8");
    await writeFile(inboxPath(root, "bob"), whole.slice(0, -60));
    expect((await store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["one", "two"]);
    await store.inboxes.read("demo", "bob");
    expect(faults).toHaveLength(1);
    expect(await readFile(faults[0]?.kept ?? "", "utf8")).toBe(whole.slice(0, -60));
  });

  test("of a file with damage in the middle keeps the entries after it too", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice", "bob");
    for (const text of ["one", "two", "three"]) await send(store, text);
    const whole = await readFile(inboxPath(root, "bob"), "utf8");
    await writeFile(inboxPath(root, "bob"), whole.replace('"two"', '"tw\\'));
    expect((await store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["one", "three"]);
  });

  test("never takes an empty file, or one that is no array, for an empty inbox", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    for (const [index, damaged] of ["", "{}", "null", "\uFEFF", "[1,"].entries()) {
      await writeFile(inboxPath(root, "bob"), damaged);
      expect((await store.inboxes.read("demo", "bob")).entries).toEqual([]);
      expect(faults.length).toBeGreaterThan(index > 0 ? 1 : 0);
      expect(await readFile(inboxPath(root, "bob"), "utf8")).toBe("[]");
    }
  });

  test("waits for a foreign writer that is in the middle of its write", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    await send(store, "one");
    const whole = await readFile(inboxPath(root, "bob"), "utf8");
    await writeFile(inboxPath(root, "bob"), whole.slice(0, 40));
    setTimeout(() => void writeFile(inboxPath(root, "bob"), whole), 20);
    expect((await store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["one"]);
    expect(faults).toEqual([]);
  });

  test("does not take a file for damaged because the machine slept between two looks", async () => {
    let looks = 0;
    const fs: typeof nodeStoreFs = {
      ...nodeStoreFs,
      async read(path) {
        if (!path.endsWith("bob.json")) return await nodeStoreFs.read(path);
        looks += 1;
        if (looks === 2) await new Promise((resolve) => setTimeout(resolve, 250));
        const read = await nodeStoreFs.read(path);
        return looks < 8 ? { ...read, bytes: read.bytes.subarray(0, 40) } : read;
      },
    };
    await using temp = await openTempStore({ fs, patience: { unlockedMs: 200, lockedMs: 0 } });
    await createDemo(temp.store, "alice", "bob");
    await writeFile(inboxPath(temp.root, "bob"), JSON.stringify([{ from: "alice", text: "whole", timestamp: "x" }]));
    looks = 0;
    const old = new Date(Date.now() - 60_000);
    await utimes(inboxPath(temp.root, "bob"), old, old);
    expect((await temp.store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["whole"]);
    expect(temp.faults).toEqual([]);
  });

  test("works where nothing may be written: the whole entries of a damaged file are shown", async () => {
    await using temp = await openTempStore({
      fs: { ...nodeStoreFs, makeDir: refuse("EROFS"), writeNew: refuse("EROFS") },
    });
    await using other = await openTempStore({ root: temp.root });
    await createDemo(other.store, "alice", "bob");
    await send(other.store, "one");
    await send(other.store, "two");
    const cut = (await readFile(inboxPath(temp.root, "bob"), "utf8")).slice(0, -40);
    await writeFile(inboxPath(temp.root, "bob"), cut);
    expect((await temp.store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["one"]);
    expect(await readFile(inboxPath(temp.root, "bob"), "utf8")).toBe(cut);
    expect(temp.faults).toHaveLength(1);
  });

  test("finds what was sent by its id, from another store of the same files (row 17)", async () => {
    await using temp = await openTempStore();
    await using other = await openTempStore({ root: temp.root });
    await createDemo(temp.store, "alice", "bob");
    const [sent] = await send(temp.store, "find me");
    const { entries } = await other.store.inboxes.read("demo", "bob");
    expect(entries.find((entry) => messageId(entry) === sent?.msgId)?.text).toBe("find me");
  });

  test("lets bytes that are no UTF-8 through as a fault, not as a crash", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    await send(store, "caf\u00e9");
    const bytes = await readFile(inboxPath(root, "bob"));
    bytes[bytes.indexOf(0xc3) + 1] = 0x28;
    await writeFile(inboxPath(root, "bob"), bytes);
    expect((await store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["caf\uFFFD("]);
    expect(await readFile(faults[0]?.kept ?? "")).toEqual(bytes);
  });
});

describe("marking as read", () => {
  test("marks just these, also entries of old generations without an id, and keeps unknown fields", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice", "bob");
    const old = { from: "alice", text: "old", timestamp: "2026-11-27T20:00:00.000Z", theirs: [1], read: false };
    await writeFile(inboxPath(root, "bob"), JSON.stringify([old, { ...old, text: "other" }], null, 2));
    const { entries } = await store.inboxes.read("demo", "bob");
    const [first] = entries;
    expect(await store.inboxes.markRead("demo", "bob", [first ? messageId(first) : ""])).toBe(1);
    expect(await store.inboxes.markRead("demo", "bob", [first ? messageId(first) : "", "unknown"])).toBe(0);
    expect(await rawInbox(root, "bob")).toEqual([
      { ...old, read: true },
      { ...old, text: "other" },
    ]);
  });

  test("and sending beside it lose nothing, whichever file call of one of them is slow", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    for (let at = 1, wasSlow = true; wasSlow; at += 1) {
      const [sent] = await send(temp.store, `before ${at}`);
      const fs = faultFs(nodeStoreFs, { at, action: "delay" });
      const slow = createStore({ root: temp.root, fs });
      const marking = slow.inboxes.markRead("demo", "bob", sent ? [sent.msgId] : []);
      await Promise.all([marking, send(temp.store, `beside ${at}`)]);
      const { entries } = await temp.store.inboxes.read("demo", "bob");
      const last = entries.slice(-2).map(({ text, read }) => [text, read]);
      expect(last).toEqual([
        [`before ${at}`, true],
        [`beside ${at}`, false],
      ]);
      wasSlow = fs.calls.length >= at;
      slow.dispose();
    }
  });

  test("and sending beside it lose nothing", async () => {
    await using temp = await openTempStore();
    await using other = await openTempStore({ root: temp.root });
    await createDemo(temp.store, "alice", "bob");
    const seen = new Set<string>();
    let sending = true;
    const reader = (async () => {
      while (sending || seen.size < 40) {
        const { entries } = await other.store.inboxes.read("demo", "bob");
        const unread = entries.filter((entry) => !entry.read);
        for (const entry of unread) seen.add(entry.text);
        await other.store.inboxes.markRead("demo", "bob", unread.map(messageId));
      }
    })();
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(temp.store, `message ${index}`)));
    sending = false;
    await reader;
    expect((await rawInbox(temp.root, "bob")).every((entry) => entry.read)).toBe(true);
    expect(seen.size).toBe(40);
  });
});

describe("size", () => {
  test("a body over 64 KiB lies in a file of its own for our members and comes back whole", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const text = `${"\u{1F600}".repeat(20_000)} the end`;
    await send(temp.store, text);
    expect((await stat(inboxPath(temp.root, "bob"))).size).toBeLessThan(10_000);
    expect((await temp.store.inboxes.read("demo", "bob")).entries[0]?.text).toBe(text);
    const [blob] = await readdir(join(temp.root, "teams/demo/muster/blobs"));
    await rm(join(temp.root, "teams/demo/muster/blobs", blob ?? ""));
    await send(temp.store, "next");
    const read = await temp.store.inboxes.read("demo", "bob");
    expect(read.entries.map((entry) => entry.text.length > 0)).toEqual([true, true]);
    expect(read.faults).toHaveLength(1);
  });

  test("a foreign member gets it whole", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    const path = join(temp.root, "teams/demo/config.json");
    const config = JSON.parse(await readFile(path, "utf8"));
    config.members.push({ agentId: "eve@demo", name: "eve", joinedAt: 1 });
    await writeFile(path, JSON.stringify(config));
    await temp.store.inboxes.send("demo", { from: "alice", to: ["eve"], text: "x".repeat(70_000) });
    expect((await rawInbox(temp.root, "eve"))[0]).toMatchObject({ text: "x".repeat(70_000) });
    expect((await rawInbox(temp.root, "eve"))[0]?.muster).toEqual({});
  });

  test("an inbox past 1,000 messages moves its oldest read ones to the archive; all are still shown (row 8)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice", "bob");
    await fill(root, "bob", 5_000, 10);
    await send(store, "new");
    const kept = await rawInbox(root, "bob");
    expect(kept).toHaveLength(200 + 11);
    expect(kept.filter((entry) => !entry.read)).toHaveLength(11);
    const archive = await readFile(join(root, "teams/demo/muster/archive/bob.jsonl"), "utf8");
    expect(archive.trim().split("\n")).toHaveLength(4_790);
    const { entries } = await store.inboxes.readAll("demo", "bob");
    expect(entries.map((entry) => entry.text)).toEqual([
      ...Array.from({ length: 5_000 }, (_, index) => `old ${index}`),
      "new",
    ]);
    await send(store, "another");
    expect(await rawInbox(root, "bob")).toHaveLength(212);
  });

  test("a look into an inbox of 5,000 unread messages that did not change reads nothing (row 8)", async () => {
    const fs = faultFs(nodeStoreFs);
    await using temp = await openTempStore({ fs });
    await createDemo(temp.store, "alice", "bob");
    await fill(temp.root, "bob", 5_000, 5_000);
    const old = new Date(Date.now() - 60_000);
    await utimes(inboxPath(temp.root, "bob"), old, old);
    expect((await temp.store.inboxes.read("demo", "bob")).entries).toHaveLength(5_000);
    const before = fs.calls.length;
    expect((await temp.store.inboxes.read("demo", "bob")).entries).toHaveLength(5_000);
    expect(fs.calls.slice(before)).toEqual(["stat"]);
  });

  test("an inbox past 4 MiB moves read ones too; unread ones stay", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice", "bob");
    const entry = { from: "alice", text: "x".repeat(60_000), timestamp: "2026-01-01T00:00:00.000Z" };
    const entries = Array.from({ length: 80 }, (_, index) => ({ ...entry, msg_id: `big-${index}`, read: index < 40 }));
    await writeFile(inboxPath(temp.root, "bob"), JSON.stringify(entries, null, 2));
    await send(temp.store, "next");
    expect(await rawInbox(temp.root, "bob")).toHaveLength(41);
    expect((await temp.store.inboxes.readAll("demo", "bob")).entries).toHaveLength(81);
  });
});

describe("a respawned member of the same name", () => {
  test("starts with an empty inbox; mail for the earlier one is marked as not for it (rows 9, 73)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    const [first] = await createDemo(store, "committer");
    await store.inboxes.send("demo", { from: "team-lead", to: ["committer"], text: "shutdown_request" });
    const [stale] = await rawInbox(root, "committer");
    await store.teams.removeMember("demo", "committer");
    const second = await addMember(store, "demo", "committer");
    expect((await store.inboxes.read("demo", "committer")).entries).toEqual([]);
    expect((await store.inboxes.readAll("demo", "committer")).entries).toHaveLength(1);
    await store.inboxes.send("demo", { from: "team-lead", to: ["committer"], text: "for the new one" });
    const [fresh] = (await store.inboxes.read("demo", "committer")).entries;
    expect(fresh && isFor(second, fresh)).toBe(true);
    expect(stale && isFor(second, stale)).toBe(false);
    expect(stale?.muster?.incarnation).toBe(first?.muster?.incarnation);
  });
});

test("pending mail of a lead that was started again with a new session is still there (row 12)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, "alice");
  await store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: "done" });
  const config = await store.teams.rebindLead("demo", "a-new-session");
  expect(config.leadSessionId).toBe("a-new-session");
  const { entries } = await store.inboxes.read("demo", "team-lead");
  expect(entries.map((entry) => [entry.text, entry.read])).toEqual([["done", false]]);
});

test("mail that the agent could not take stays unread and is there again (row 16)", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  await send(temp.store, "while busy");
  const take = async (accept: (text: string) => void) => {
    for (const entry of (await temp.store.inboxes.read("demo", "bob")).entries.filter((one) => !one.read)) {
      accept(entry.text);
      await temp.store.inboxes.markRead("demo", "bob", [messageId(entry)]);
    }
  };
  const busy = () => {
    throw new Error("busy");
  };
  await expect(take(busy)).rejects.toThrow("busy");
  const taken: string[] = [];
  await take((text) => taken.push(text));
  await take((text) => taken.push(text));
  expect(taken).toEqual(["while busy"]);
});

test("records of decisions are in the inbox and read from the start", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  const id = await temp.store.inboxes.appendRecord("demo", "bob", { from: "team-lead", text: "{}" });
  expect(await rawInbox(temp.root, "bob")).toMatchObject([{ msg_id: id, read: true }]);
});

test("fields of entries are changed under the lock, never their id or text", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  const [sent] = await send(temp.store, "sign me");
  const changed = await temp.store.inboxes.patchEntries("demo", "bob", (entry) => ({
    lead_sig: "new",
    msg_id: "forged",
    text: "forged",
    muster: { ...entry.muster, signedAt: "2026-11-27T20:00:00.000Z" },
  }));
  expect(changed).toBe(1);
  expect(await rawInbox(temp.root, "bob")).toMatchObject([{ msg_id: sent?.msgId, text: "sign me", lead_sig: "new" }]);
});

test("files and folders are private, and a planted link is not followed", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store, "alice", "bob");
  await send(store, "x");
  expect((await stat(inboxPath(root, "bob"))).mode & 0o077).toBe(0);
  expect((await stat(join(root, "teams/demo/muster/outbox"))).mode & 0o077).toBe(0);
  await chmod(inboxPath(root, "bob"), 0o644);
  await send(store, "y");
  expect((await rawInbox(root, "bob")).map((entry) => entry.text)).toEqual(["x", "y"]);
});

function refuse(code: string) {
  return async (): Promise<never> => {
    throw Object.assign(new Error(code), { code });
  };
}

function deep(entry: Record<string, unknown>): unknown {
  let inner: unknown = "bottom";
  for (let level = 0; level < 4_000; level += 1) inner = [inner];
  return { ...entry, inner };
}
