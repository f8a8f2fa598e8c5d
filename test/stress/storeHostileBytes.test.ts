import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isMusterError } from "../../src/base/errors.ts";
import { salvageElements, salvageJson } from "../../src/store/salvageJson.ts";
import type { Store } from "../../src/store/store.ts";
import { expectHealthy } from "../support/healthy.ts";
import { reachOf } from "../support/longRows.ts";
import { createDemo, openTempStore, type TempStore } from "../support/tempStore.ts";
import { fastRoot } from "./storeProcesses.ts";

const reach = reachOf("hostile");
const CASES = Math.ceil(reach.pick(10_000, 1_000_000) / 3);
const SEED = reach.pick(1, Date.now() % 1_000_000);
const patience = { unlockedMs: 0, lockedMs: 0 };

/** A random source that gives the same numbers every time, so that a failure can be seen again. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const HOSTILE = [
  "null",
  "[]",
  "{}",
  '"text"',
  "-1e999",
  "[".repeat(20_000),
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  '[{"__proto__":{"polluted":true},"from":"a","text":"b","timestamp":"c"}]',
  '[{"from":{"toString":1},"text":[],"timestamp":9}]',
  '{"id":"1","subject":"x","status":"pending","metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":1}}}',
  '{"name":"demo","members":[{"agentId":"a@demo","name":"__proto__"},{"agentId":"b@demo","name":"constructor"}]}',
  '{"name":"demo","members":"none","__proto__":{"members":[]}}',
  "\u0000\u0000\u0000",
  "\uFEFF[]",
];

function mutate(bytes: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * bytes.length);
  const length = Math.floor(random() * 40);
  switch (Math.floor(random() * 8)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random() * 256]), bytes.subarray(at + 1)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes, bytes.subarray(at)]);
    case 5:
      return Buffer.from(bytes.toString("utf8").replace(/"[^"]*"|\d+|true|false/g, (text) => swap(text, random)));
    case 6:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(pick(HOSTILE, random)), bytes.subarray(at)]);
    default:
      return Buffer.from(pick(HOSTILE, random));
  }
}

/** Now and then a value of another type in place of one. */
function swap(text: string, random: () => number): string {
  return random() < 0.05 ? pick(["null", "[]", "{}", "7", '"x"', '"\\ud800"', '"__proto__"', "1e400"], random) : text;
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

interface Target {
  kind: string;
  path: string;
  use(store: Store, index: number): Promise<unknown>;
}

const TARGETS: Target[] = [
  {
    kind: "inbox",
    path: "teams/demo/inboxes/bob.json",
    use: (store, index) =>
      index % 4 === 0
        ? store.inboxes.send("demo", { from: "alice", to: ["bob"], text: "on" })
        : store.inboxes.read("demo", "bob"),
  },
  { kind: "configuration", path: "teams/demo/config.json", use: (store) => store.teams.read("demo") },
  {
    kind: "task",
    path: "tasks/demo/2.json",
    use: (store, index) =>
      index % 4 === 0
        ? store.tasks.update("demo", "2", { description: `${index}` }, { by: "user", isAgent: false })
        : store.tasks.list("demo"),
  },
];

describe.concurrent.each(TARGETS)("hostile bytes in the $kind", ({ kind, path, use }) => {
  test("neither crash nor hang, and are set aside once", { timeout: reach.timeout(240_000) }, async () => {
    await using temp = await openHostile();
    const file = join(temp.root, path);
    const all = [...TARGETS.map((target) => target.path), "tasks/demo/1.json"].map((name) => join(temp.root, name));
    const wholes = await Promise.all(all.map(async (name) => [name, await readFile(name)] as const));
    const whole = await readFile(file);
    const random = randomFrom(kind.length * SEED);
    const outcomes: Record<string, number> = {};
    const until = reach.until();
    let index = 0;
    for (; index < CASES && Date.now() < until; index += 1) {
      const bytes = mutate(whole, random);
      await writeFile(file, bytes);
      const outcome = await outcomeOf(use(temp.store, index));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      expect(["done", "corrupt", "unknown_task", "unknown_member"], bytes.toString("latin1").slice(0, 500)).toContain(
        outcome,
      );
      if (index % 50 === 0) await expectSetAsideOnce(temp, () => use(temp.store, 1));
    }
    reach.reached(index);
    console.log(`${kind}: ${index} cases (seed ${SEED})`, outcomes);
    expect(outcomes["done"]).toBeGreaterThan(index / 20);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    for (const [name, content] of wholes) await writeFile(name, content);
    await use(temp.store, 0);
    expect((await temp.store.snapshots.read("demo")).config.members).toHaveLength(3);
    await expectHealthy(temp.root);
  });
});

test("whatever can be saved of a text is valid JSON, and of whole texts it is all", () => {
  const random = randomFrom(7);
  const text = JSON.stringify(
    [{ from: "a", text: 'q"\\u{1F600}', n: [1, -2.5e3, true, null], deep: { x: {} } }, "s", 4],
    null,
    2,
  );
  expect(salvageJson(text)).toEqual(JSON.parse(text));
  for (let index = 0; index < 5_000; index += 1) {
    const mutated = mutate(Buffer.from(text), random).toString("utf8");
    for (const saved of [salvageJson(mutated), salvageElements(mutated)]) {
      if (saved !== undefined) expect(() => JSON.parse(JSON.stringify(saved))).not.toThrow();
    }
  }
});

async function openHostile(): Promise<TempStore> {
  const temp = await openTempStore({ patience, root: await fastRoot() });
  const { store } = temp;
  await createDemo(store, "alice", "bob");
  for (let index = 0; index < 6; index += 1) {
    await store.inboxes.send("demo", { from: "alice", to: ["bob"], text: `message ${index} \u{1F600}`, summary: "s" });
  }
  await store.tasks.create("demo", { subject: "one" });
  await store.tasks.create("demo", { subject: "two", description: "…", blockedBy: ["1"], metadata: { a: { b: [1] } } });
  return temp;
}

async function outcomeOf(used: Promise<unknown>): Promise<string> {
  try {
    await used;
    return "done";
  } catch (error) {
    return isMusterError(error) ? error.reason : String(error);
  }
}

/** Another look at the same bytes keeps no second copy. */
async function expectSetAsideOnce(temp: TempStore, look: () => Promise<unknown>): Promise<void> {
  const dir = join(temp.root, "teams/demo/muster/corrupt");
  const copies = async () => (await readdir(dir).catch(() => [])).sort();
  await outcomeOf(look());
  const before = await copies();
  await outcomeOf(look());
  expect(await copies()).toEqual(before);
  for (const name of ["bob.json.", "config.json.", "2.json."]) {
    expect(before.filter((copy) => copy.startsWith(name)).length).toBeLessThanOrEqual(5);
  }
}
