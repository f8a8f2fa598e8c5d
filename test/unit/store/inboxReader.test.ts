import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { messageId } from "../../../src/protocol/message.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { refuseWith } from "../../support/faultFs.ts";
import { inboxPath, rawInbox, sendToBob } from "../../support/inboxFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

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
    await sendToBob(store, "next");
    expect(await rawInbox(root, "bob")).toMatchObject([valid, { text: "next" }]);
    const [kept] = await readdir(join(root, "teams/demo/muster/corrupt"));
    expect(JSON.parse(await readFile(join(root, "teams/demo/muster/corrupt", kept ?? ""), "utf8"))).toHaveLength(9);
  });

  test("of a file of which nothing can be saved says so", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    await writeFile(inboxPath(root, "bob"), "[{]");
    expect((await store.inboxes.read("demo", "bob")).entries).toEqual([]);
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^The inbox of bob was damaged; nothing of it could be saved: it is empty now, the damaged file is kept as /,
      ),
    ]);
  });

  test("of a file that was cut off keeps every whole entry, sets the file aside and tells once", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    for (const text of ["one", "two", "three"]) await sendToBob(store, text);
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
    for (const text of ["one", "two", "three"]) await sendToBob(store, text);
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
    await sendToBob(store, "one");
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
      fs: { ...nodeStoreFs, makeDir: refuseWith("EROFS"), writeNew: refuseWith("EROFS") },
    });
    await using other = await openTempStore({ root: temp.root });
    await createDemo(other.store, "alice", "bob");
    await sendToBob(other.store, "one");
    await sendToBob(other.store, "two");
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
    const [sent] = await sendToBob(temp.store, "find me");
    const { entries } = await other.store.inboxes.read("demo", "bob");
    expect(entries.find((entry) => messageId(entry) === sent?.msgId)?.text).toBe("find me");
  });

  test("lets bytes that are no UTF-8 through as a fault, not as a crash", async () => {
    await using temp = await openTempStore();
    const { store, root, faults } = temp;
    await createDemo(store, "alice", "bob");
    await sendToBob(store, "caf\u00e9");
    const bytes = await readFile(inboxPath(root, "bob"));
    bytes[bytes.indexOf(0xc3) + 1] = 0x28;
    await writeFile(inboxPath(root, "bob"), bytes);
    expect((await store.inboxes.read("demo", "bob")).entries.map((entry) => entry.text)).toEqual(["caf\uFFFD("]);
    expect(await readFile(faults[0]?.kept ?? "")).toEqual(bytes);
  });
});

function deep(entry: Record<string, unknown>): unknown {
  let inner: unknown = "bottom";
  for (let level = 0; level < 4_000; level += 1) inner = [inner];
  return { ...entry, inner };
}
