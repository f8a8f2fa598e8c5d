import { appendFile, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TranscriptRecord } from "../../../src/protocol/transcript.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const at = "2026-11-27T20:00:00.000Z";
const said = (text: string): TranscriptRecord => ({
  kind: "input",
  at,
  origin: "mail",
  content: [{ type: "text", text }],
  msgIds: [text],
});
const textsOf = (records: readonly TranscriptRecord[]) =>
  records.flatMap((record) => (record.kind === "input" ? (record.msgIds ?? []) : []));
const bob = { team: "demo", agent: "bob" };

describe("a transcript", () => {
  test("keeps the order of the calls, without waiting between them", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const texts = Array.from({ length: 200 }, (_, index) => `record ${index}`);
    await Promise.all(texts.map((text) => temp.store.transcripts.append(bob, said(text))));
    expect(textsOf(await temp.store.transcripts.read(bob))).toEqual(texts);
  });

  test("keeps fields that it does not know, such as signatures of thinking", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    const content = [{ type: "thinking" as const, thinking: "…", signature: "c2ln", extra: { kept: true } }];
    const reply: TranscriptRecord = { kind: "reply", at, model: "m", content, stopReason: "end_turn", usage };
    await temp.store.transcripts.append(bob, reply);
    expect(await temp.store.transcripts.read(bob)).toEqual([reply]);
  });

  test("cut at any byte loads its whole records, and goes on with the next one", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const texts = ["one", "zwei \u{1F600}", "three"];
    for (const text of texts) await temp.store.transcripts.append(bob, said(text));
    const path = temp.store.paths.team("demo").transcript("bob");
    const whole = await readFile(path);
    const ends = [...whole.entries()].flatMap(([index, byte]) => (byte === 10 ? [index] : []));
    for (let size = 0; size <= whole.length; size += 1) {
      await writeFile(path, whole.subarray(0, size));
      const complete = texts.filter((_, index) => size > (ends[index] ?? 0));
      expect(textsOf(await temp.store.transcripts.read(bob))).toEqual(complete);
      await temp.store.transcripts.append(bob, said("next"));
      // where only the newline was missing, the record is whole
      const kept = texts.filter((_, index) => size >= (ends[index] ?? 0));
      expect(textsOf(await temp.store.transcripts.read(bob))).toEqual([...kept, "next"]);
    }
    expect(temp.faults).toEqual([]);
  });

  test("with a damaged line in the middle leaves that out and tells it once", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    await temp.store.transcripts.append(bob, said("one"));
    await appendFile(temp.store.paths.team("demo").transcript("bob"), '{"kind":"inp\n{"kind":"unheard of"}\n');
    await temp.store.transcripts.append(bob, said("two"));
    for (let round = 0; round < 2; round += 1) {
      expect(textsOf(await temp.store.transcripts.read(bob))).toEqual(["one", "two"]);
    }
    expect(temp.faults).toHaveLength(1);
    expect(temp.faults[0]?.message).toContain("2 lines");
  });

  test("is followed from an offset: whole lines only, each once", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    const { transcripts } = temp.store;
    expect(await transcripts.readFrom(bob, 0)).toEqual({ records: [], next: 0 });
    await transcripts.append(bob, said("one"));
    const first = await transcripts.readFrom(bob, 0);
    expect(textsOf(first.records)).toEqual(["one"]);
    const path = temp.store.paths.team("demo").transcript("bob");
    const line = `${JSON.stringify(said("two"))}\n`;
    await appendFile(path, line.slice(0, 20));
    expect(await transcripts.readFrom(bob, first.next)).toEqual({ records: [], next: first.next });
    await appendFile(path, line.slice(20));
    const second = await transcripts.readFrom(bob, first.next);
    expect(textsOf(second.records)).toEqual(["two"]);
    expect(second.next).toBe((await stat(path)).size);
  });

  test("of a lead moves into its team, and so does what is still said under the session", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await store.transcripts.append({ leadSession: "s-1" }, said("before"));
    await Promise.all([
      store.transcripts.append({ leadSession: "s-1" }, said("at the same time")),
      store.transcripts.moveLead("s-1", "demo"),
      store.transcripts.append({ leadSession: "s-1" }, said("after")),
    ]);
    await Promise.all([
      store.transcripts.append({ team: "demo", agent: "team-lead" }, said("as lead")),
      store.transcripts.append({ leadSession: "s-1" }, said("still by session")),
    ]);
    const records = await store.transcripts.read({ team: "demo", agent: "team-lead" });
    expect(textsOf(records).sort()).toEqual(["after", "as lead", "at the same time", "before", "still by session"]);
    expect(textsOf(records)[0]).toBe("before");
    expect(await readdir(join(root, "muster/leads"))).toEqual([]);
    await store.transcripts.moveLead("s-2", "demo");
    expect(await store.transcripts.read({ team: "demo", agent: "team-lead" })).toHaveLength(5);
  });

  test("of a lead goes on without a team when that has ended, and moves into its next one", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store);
    await store.transcripts.append({ leadSession: "s-1" }, said("one"));
    await store.transcripts.moveLead("s-1", "demo");
    await store.transcripts.moveLead("s-1", "demo");
    await store.teams.delete("demo", { keepHistory: false, now: 0 });
    await store.transcripts.append({ leadSession: "s-1" }, said("two"));
    expect(textsOf(await store.transcripts.read({ leadSession: "s-1" }))).toEqual(["two"]);
    await createDemo(store);
    await store.transcripts.moveLead("s-1", "demo");
    expect(textsOf(await store.transcripts.read({ team: "demo", agent: "team-lead" }))).toEqual(["two"]);
  });

  test("is not written half where the disk is full, and goes on when there is room", async () => {
    let full = false;
    const append: typeof nodeStoreFs.append = async (path, text, options) => {
      if (!full) return await nodeStoreFs.append(path, text, options);
      await nodeStoreFs.append(path, text.slice(0, text.length / 2), options);
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    await using temp = await openTempStore({ fs: { ...nodeStoreFs, append } });
    await createDemo(temp.store, "bob");
    await temp.store.transcripts.append(bob, said("one"));
    full = true;
    await expect(temp.store.transcripts.append(bob, said("two"))).rejects.toMatchObject({ reason: "disk_full" });
    full = false;
    await temp.store.transcripts.append(bob, said("three"));
    expect(textsOf(await temp.store.transcripts.read(bob))).toEqual(["one", "three"]);
    expect(temp.faults).toEqual([]);
  });

  test("of a team that was deleted is not begun anew", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    await temp.store.teams.delete("demo", { keepHistory: false, now: 0 });
    await expect(temp.store.transcripts.append(bob, said("late"))).rejects.toMatchObject({ reason: "unknown_team" });
    expect(await readdir(join(temp.root, "teams"))).toEqual([]);
  });
});

test("a missing last newline alone costs nothing", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "bob");
  await temp.store.transcripts.append(bob, said("one"));
  const path = temp.store.paths.team("demo").transcript("bob");
  await truncate(path, (await stat(path)).size - 1);
  await temp.store.transcripts.append(bob, said("two"));
  expect(textsOf(await temp.store.transcripts.read(bob))).toEqual(["one", "two"]);
});
