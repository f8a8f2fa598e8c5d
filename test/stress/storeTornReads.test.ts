import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMusterError } from "../../src/base/errors.ts";
import { expectHealthy } from "../support/healthy.ts";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore } from "../support/tempStore.ts";
import { fastRoot, type StoreProcess, startChild } from "./storeProcesses.ts";

const reach = reachOf("torn");
const READS = reach.pick(10_000, 10_000_000) / 4;

const entry = (text: string, size: number) => ({
  from: "alice",
  text: `GENERATION ${text} ${"x".repeat(size)}`,
  timestamp: "2026-11-27T20:00:00.000Z",
  msg_id: `GENERATION-${text}`,
});
const inbox = (entries: number, size: number) =>
  JSON.stringify(
    Array.from({ length: entries }, (_, index) => entry(String(index), size)),
    null,
    2,
  );
const member = (name: string, prompt: number) => ({
  agentId: `${name}@theirs`,
  name,
  prompt: `GENERATION${"x".repeat(prompt)}`,
});
const config = (members: number, prompt: number) =>
  JSON.stringify(
    {
      name: "theirs",
      members: Array.from({ length: members }, (_, index) => member(`m-${index}`, prompt)),
      description: "GENERATION",
    },
    null,
    2,
  );

describe.each(["truncate", "over"])("beside a foreign program that writes in place (%s)", (how) => {
  test("no torn inbox ever reaches a reader", { timeout: reach.timeout(240_000) }, async () => {
    await using temp = await openTempStore({ root: await fastRoot(), patience: { unlockedMs: 3_000, lockedMs: 200 } });
    await createDemo(temp.store, "alice", "bob");
    const path = join(temp.root, "teams/demo/inboxes/bob.json");
    await writeFile(path, "[]");
    // some of many pages, one of a few bytes
    const writer = await startWriter(path, how, [inbox(40, 900), inbox(3, 50), inbox(200, 40)]);
    await using stopped = stoppedAtEnd(writer);
    const sizes = new Set<number>();
    const reads = await readUntil(async () => {
      const { entries, faults } = await temp.store.inboxes.read("demo", "bob");
      expect(faults).toEqual([]);
      expect([3, 40, 200]).toContain(entries.length);
      expect(new Set(entries.map((one) => one.text.slice(0, 9))).size).toBe(1);
      sizes.add(entries.length);
    });
    console.log(`inbox, ${how}: ${reads} reads, none torn`);
    expect(sizes.size).toBe(3);
    expect(temp.faults).toEqual([]);
    await stopped.now();
    await expectHealthy(temp.root);
  });

  test("no torn configuration ever reaches a reader", { timeout: reach.timeout(240_000) }, async () => {
    await using temp = await openTempStore({ root: await fastRoot(), patience: { unlockedMs: 3_000, lockedMs: 200 } });
    const path = join(temp.root, "teams/theirs/config.json");
    await temp.store.texts.write(path, config(3, 10));
    const writer = await startWriter(path, how, [config(30, 800), config(3, 20)]);
    await using stopped = stoppedAtEnd(writer);
    const reads = await readUntil(async () => {
      const { members, description = "" } = await temp.store.teams.read("theirs");
      expect([3, 30]).toContain(members.length);
      const generations = new Set(members.map((one) => one.prompt?.slice(0, 9)));
      if (description !== "GENERATION") expect([...generations]).toEqual([description]);
    });
    console.log(`configuration, ${how}: ${reads} reads, none torn`);
    expect(temp.faults).toEqual([]);
    await stopped.now();
    await expectHealthy(temp.root);
  });
});

async function startWriter(path: string, how: string, texts: string[]) {
  const writer = await startChild("writeInPlace", { path, how, texts, pauseMs: 1 });
  while (writer.said.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  return writer;
}

function stoppedAtEnd(writer: StoreProcess): AsyncDisposable & { now(): Promise<void> } {
  const now = async () => {
    writer.child.kill("SIGTERM");
    await writer.done;
  };
  return { now, [Symbol.asyncDispose]: now };
}

/**
 * Reads as often as is asked for, or as the time of a long run allows. On a busy machine the writer may be at it for so
 * long that a reader gives up: that is no torn value.
 */
async function readUntil(read: () => Promise<void>): Promise<number> {
  const until = reach.until();
  let reads = 0;
  while (reads < READS && Date.now() < until) {
    try {
      await read();
      reads += 1;
    } catch (error) {
      if (!isMusterError(error, "lock_timeout")) throw error;
    }
  }
  reach.reached(reads);
  return reads;
}
