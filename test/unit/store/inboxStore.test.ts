import { chmod, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messageId } from "../../../src/protocol/message.ts";
import { isFor } from "../../../src/store/messageSender.ts";
import { createStore } from "../../../src/store/store.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { faultFs } from "../../support/faultFs.ts";
import { fillInbox, inboxPath, rawInbox, sendToBob } from "../../support/inboxFiles.ts";
import { addMember, createDemo, openTempStore } from "../../support/tempStore.ts";

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
      const [sent] = await sendToBob(temp.store, `before ${at}`);
      const fs = faultFs(nodeStoreFs, { at, action: "delay" });
      const slow = createStore({ root: temp.root, fs });
      const marking = slow.inboxes.markRead("demo", "bob", sent ? [sent.msgId] : []);
      await Promise.all([marking, sendToBob(temp.store, `beside ${at}`)]);
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
    await Promise.all(Array.from({ length: 40 }, (_, index) => sendToBob(temp.store, `message ${index}`)));
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
    await sendToBob(temp.store, text);
    expect((await stat(inboxPath(temp.root, "bob"))).size).toBeLessThan(10_000);
    expect((await temp.store.inboxes.read("demo", "bob")).entries[0]?.text).toBe(text);
    const [blob] = await readdir(join(temp.root, "teams/demo/muster/blobs"));
    await rm(join(temp.root, "teams/demo/muster/blobs", blob ?? ""));
    await sendToBob(temp.store, "next");
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
    await fillInbox(root, "bob", 5_000, 10);
    await sendToBob(store, "new");
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
    await sendToBob(store, "another");
    expect(await rawInbox(root, "bob")).toHaveLength(212);
  });

  test("a look into an inbox of 5,000 unread messages that did not change reads nothing (row 8)", async () => {
    const fs = faultFs(nodeStoreFs);
    await using temp = await openTempStore({ fs });
    await createDemo(temp.store, "alice", "bob");
    await fillInbox(temp.root, "bob", 5_000, 5_000);
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
    await sendToBob(temp.store, "next");
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
  await sendToBob(temp.store, "while busy");
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
  const [sent] = await sendToBob(temp.store, "sign me");
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
  await sendToBob(store, "x");
  expect((await stat(inboxPath(root, "bob"))).mode & 0o077).toBe(0);
  expect((await stat(join(root, "teams/demo/muster/outbox"))).mode & 0o077).toBe(0);
  await chmod(inboxPath(root, "bob"), 0o644);
  await sendToBob(store, "y");
  expect((await rawInbox(root, "bob")).map((entry) => entry.text)).toEqual(["x", "y"]);
});
