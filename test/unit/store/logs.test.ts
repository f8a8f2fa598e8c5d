import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
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

test("the audit log of several writers loses nothing beside a torn line", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const owner = { team: "demo", agent: "team-lead" };
  await temp.store.audit.append(owner, { n: 1 });
  await appendFile(temp.store.paths.team("demo").audit, '{"n": 2, "torn');
  await temp.store.audit.append(owner, { n: 3 });
  expect(await temp.store.audit.read(owner)).toEqual([{ n: 1 }, { n: 3 }]);
  await temp.store.audit.append({ leadSession: "s-1" }, { n: 4 });
  expect(await temp.store.audit.read({ leadSession: "s-1" })).toEqual([{ n: 4 }]);
});

describe("presence and live text", () => {
  const presence = {
    incarnation: "i",
    state: "working" as const,
    since: 1,
    beat: 2,
    pid: 3,
    host: "h",
    startTime: null,
  };

  test("are one file each, and go", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    await store.presence.write("demo", "bob", presence);
    await store.presence.write("demo", "bob", { ...presence, state: "idle" });
    await writeFile(join(temp.root, "teams/demo/muster/presence/eve.json"), "{");
    expect([...(await store.presence.readAll("demo")).entries()]).toEqual([["bob", { ...presence, state: "idle" }]]);
    await store.presence.remove("demo", "bob");
    await store.presence.remove("demo", "bob");
    expect((await store.presence.readAll("demo")).size).toBe(0);
    expect(await store.live.read("demo", "bob")).toBe("");
    await store.live.write("demo", "bob", "so far");
    expect(await store.live.read("demo", "bob")).toBe("so far");
    await store.live.clear("demo", "bob");
    expect(await store.live.read("demo", "bob")).toBe("");
  });

  test("of a long reply keep the last 4 KB in whole characters", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    await temp.store.live.write("demo", "bob", `${"x".repeat(10_000)}${"\u{1F600}".repeat(2_000)}`);
    const text = await temp.store.live.read("demo", "bob");
    expect(text).toBe("\u{1F600}".repeat(1_024));
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

test("plans get names of their own under plans/", async () => {
  await using temp = await openTempStore();
  const { plans } = temp.store;
  const paths = await Promise.all(Array.from({ length: 50 }, () => plans.newPath()));
  expect(new Set(paths).size).toBe(50);
  for (const path of paths) expect(path.slice(temp.root.length)).toMatch(/^\/plans\/[a-z]+-[a-z]+-[a-z]+\.md$/);
  const [path = ""] = paths;
  expect(await plans.read(path)).toBeNull();
  await plans.write(path, "# Plan");
  expect(await plans.read(path)).toBe("# Plan");
});

test("texts: instructions are read without their mark, projects only go to empty folders", async () => {
  await using temp = await openTempStore();
  const { texts, paths } = temp.store;
  expect(await texts.readOptional(paths.personInstructions)).toBeNull();
  await writeFile(paths.personInstructions, "\uFEFFBe kind.");
  expect(await texts.readOptional(paths.personInstructions)).toBe("Be kind.");
  const dir = join(temp.root, "project");
  await texts.writeProject(dir, { "package.json": "{}", "src/deep/a.js": "1" });
  expect(await readFile(join(dir, "src/deep/a.js"), "utf8")).toBe("1");
  await expect(texts.writeProject(dir, { a: "b" })).rejects.toMatchObject({ reason: "not_allowed" });
  await mkdir(join(temp.root, "empty"));
  await expect(texts.writeProject(join(temp.root, "empty"), { "../out.txt": "x" })).rejects.toThrow("outside");
  expect(await readdir(temp.root)).not.toContain("out.txt");
});
