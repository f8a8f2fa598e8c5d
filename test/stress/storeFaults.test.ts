import { cp, rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMusterError } from "../../src/base/errors.ts";
import type { Processes, ProcessIdentity } from "../../src/store/processIdentity.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { nodeStoreFs } from "../../src/store/storeFs.ts";
import { type Fault, type FaultFs, faultFs, writesData } from "../support/faultFs.ts";
import { reachOf } from "../support/longRows.ts";
import { addMember, LEAD_SESSION } from "../support/tempStore.ts";
import { OPERATIONS, prepareAll, type StoreOperation, stateOf } from "./storeOperations.ts";
import { fastRoot } from "./storeProcesses.ts";

/**
 * Every operation of the store × a failure or a death at every single file call. A process that dies is one whose file
 * calls are never answered again; real deaths are in storeKills.test.ts.
 */
const DOOMED: ProcessIdentity = { pid: 4_194_999, host: "walk", startTime: "1" };
const OTHER: ProcessIdentity = { pid: 1, host: "walk", startTime: "2" };
const clock = { now: () => 1_000, sleep: async () => {} };
const AT_ONCE = 4;
const reach = reachOf("faults");
let template = "";
let cases = 0;

beforeAll(async () => {
  template = await fastRoot();
  const store = openStore(template, OTHER, () => true);
  await prepareAll(store);
  await store.close();
});

afterAll(async () => {
  await rm(template, { recursive: true, force: true });
  reach.reached(cases);
  console.log(`${cases} faults injected`);
});

describe.each(OPERATIONS)("$name", (operation) => {
  test("is made as a whole or not at all, whatever file call fails or is the last one", {
    timeout: 300_000,
  }, async () => {
    const { before, after, calls } = await dryRun(operation);
    const faults = calls.flatMap((name, index) => actionsFor(name).map((action) => ({ at: index + 1, action, name })));
    cases += faults.length;
    const next = faults.values();
    const walker = async () => {
      for (const { at, action, name } of next) {
        await check(operation, { at, action }, before, after, `${action} at call ${at} (${name})`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walker));
  });
});

/** A death before a call that only looks leaves the same files as a death before the next call. */
function actionsFor(name: string): Fault["action"][] {
  const dies: Fault["action"][] = ["read", "readRange", "stat", "list"].includes(name) ? [] : ["freeze"];
  const cut: Fault["action"][] = writesData(name) ? ["cut", "freezeCut"] : [];
  const done: Fault["action"][] = ["rename", "append", "makeDir"].includes(name) ? ["failAfter", "freezeAfter"] : [];
  return ["fail", ...dies, ...cut, ...done];
}

async function dryRun(operation: StoreOperation): Promise<{ before: unknown; after: unknown; calls: string[] }> {
  await using place = await copyOf(operation);
  const before = await stateOf(place.clean());
  const fs = faultFs(nodeStoreFs);
  const store = openStore(place.root, DOOMED, () => true, fs);
  await operation.run(store);
  await store.close();
  const calls = [...fs.calls];
  const after = await stateOf(place.clean());
  return { before, after, calls };
}

async function check(
  operation: StoreOperation,
  fault: Fault,
  before: unknown,
  after: unknown,
  what: string,
): Promise<void> {
  await using place = await copyOf(operation);
  let alive = true;
  const fs = faultFs(nodeStoreFs, fault, () => {
    if (fault.action.startsWith("freeze")) alive = false;
  });
  const doomed = openStore(place.root, DOOMED, () => alive, fs);
  const outcome = await outcomeOf(operation.run(doomed), fs, () => alive);
  const store = place.clean(() => alive);
  for (const agent of ["alice", "bob"]) await replay(store, agent);
  const state = await stateOf(store);
  const allowed = allowedAfter(outcome, fault, operation, before, after);
  if (allowed) expect(allowed, `${what}: ${outcome}`).toContainEqual(state);
  if (outcome === "died") await livesOn(store);
  else await completeEdges(store);
  expect((await store.doctor.check()).faults, what).toEqual([]);
  doomed.dispose();
}

type Outcome = "done" | "refused" | "died";

async function outcomeOf(running: Promise<unknown>, fs: FaultFs, isAlive: () => boolean): Promise<Outcome> {
  const settled = running.then(
    () => "done" as const,
    (error: unknown) => {
      if (!isMusterError(error)) throw error;
      return "refused" as const;
    },
  );
  const died = fs.struck.then(async () => {
    await new Promise((resolve) => setTimeout(resolve, 15)); // what was under way ends
    return isAlive() ? await settled : ("died" as const);
  });
  return await Promise.race([settled, died]);
}

/** Undefined where everything between before and after is allowed. */
function allowedAfter(
  outcome: Outcome,
  { action }: Fault,
  { stepwise, recovers }: StoreOperation,
  before: unknown,
  after: unknown,
): unknown[] | undefined {
  if (outcome === "done" || recovers) return [after];
  if (stepwise) return undefined;
  return outcome === "refused" && action !== "failAfter" ? [before] : [before, after];
}

/** Sends what the dead process had written down; members may be gone by now. */
async function replay(store: Store, agent: string): Promise<void> {
  try {
    await store.inboxes.replayOutbox("demo", agent);
  } catch (error) {
    if (!isMusterError(error, "unknown_team")) throw error;
  }
}

/** No lock of the dead process stays: the same files are changed again at once. */
async function livesOn(store: Store): Promise<void> {
  if (!(await store.teams.list()).some((team) => team.name === "demo")) return;
  await store.inboxes.send("demo", { from: "alice", to: ["team-lead", "alice"], text: "and on" });
  const task = await store.tasks.create("demo", { subject: "and on" });
  await store.tasks.update("demo", task.id, { status: "deleted" }, { by: "user", isAgent: false });
  await store.teams.rebindLead("demo", LEAD_SESSION);
  await addMember(store, "demo", "dora");
}

/** What a failure left half done, the next change of any task completes. */
async function completeEdges(store: Store): Promise<void> {
  if (!(await store.teams.list()).some((team) => team.name === "demo")) return;
  await store.tasks.releaseOwner("demo", "nobody");
}

interface Place extends AsyncDisposable {
  root: string;
  clean(isDoomedAlive?: () => boolean): Store;
}

async function copyOf(operation: StoreOperation): Promise<Place> {
  const root = await fastRoot();
  await cp(template, root, { recursive: true });
  const clean = (isDoomedAlive = () => true) => openStore(root, OTHER, isDoomedAlive);
  await operation.prepare?.(clean(), root);
  return { root, clean, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

function openStore(root: string, self: ProcessIdentity, isDoomedAlive: () => boolean, fs = nodeStoreFs): Store {
  const processes: Processes = {
    self: async () => self,
    state: async ({ pid }) => {
      if (pid === DOOMED.pid) return isDoomedAlive() ? "alive" : "dead";
      return pid === OTHER.pid ? "alive" : "dead";
    },
  };
  const patience = { unlockedMs: 20, lockedMs: 10 };
  return createStore({ root, fs, clock, processes, patience, locks: { staleMs: 250, timeoutMs: 3_000 } });
}
