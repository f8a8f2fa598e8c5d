import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import type { ProcessIdentity } from "../../../../src/store/processIdentity.ts";
import { untilNobodyLeads } from "../../../../src/team/process/leadWatch.ts";
import { instantClock } from "../../../support/manualClock.ts";
import { createDemo, LEAD_SESSION, openTempStore } from "../../../support/tempStore.ts";

it("a teammate goes where another process leads its session than the one that started it, from its first look on", async () => {
  const [started, next] = [process.ppid, process.pid].map(
    (pid): ProcessIdentity => ({ pid, host: "here", startTime: "1" }),
  );
  const processes = { self: async () => next as ProcessIdentity, state: async () => "alive" as const };
  await using temp = await openTempStore({ processes });
  await createDemo(temp.store);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const change = async (process: ProcessIdentity | undefined, looks: number) => {
    const stop = new AbortController();
    const clock = instantClock();
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (clock.sleeps.length >= looks) stop.abort();
      return clock.sleep(ms, signal);
    };
    const options = { store: temp.store, clock: { ...clock, now: clock.now, sleep }, logger: silentLogger };
    const lead = process ? { session: LEAD_SESSION, process } : null;
    return await untilNobodyLeads({ options, team: { folder: "demo" } }, lead, stop.signal);
  };
  expect(await change(started, 100)).toBe("lead_gone");
  expect(await change(next, 20)).toBeNull();
  expect(await change(undefined, 20)).toBeNull();
});

it("a teammate goes within 5 s where nobody leads, and stays while nobody can tell", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const own = temp.store.process;
  const lead = { session: LEAD_SESSION, process: own };
  const after = async (looks: number, read: (look: number) => Promise<null> | undefined) => {
    const clock = instantClock();
    const stop = new AbortController();
    let look = 0;
    const leads = {
      ...temp.store.leads,
      read: (team: string) => {
        look += 1;
        return read(look) ?? temp.store.leads.read(team);
      },
    };
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (clock.sleeps.length >= looks) stop.abort();
      return clock.sleep(ms, signal);
    };
    const store = { ...temp.store, leads, process: own };
    const options = { store, clock: { ...clock, now: clock.now, sleep }, logger: silentLogger };
    const change = await untilNobodyLeads({ options, team: { folder: "demo" } }, lead, stop.signal);
    return { change, ms: clock.now() };
  };
  const nobody = async () => null;
  const { change, ms } = await after(100, nobody);
  expect(change).toBe("lead_gone");
  expect(ms).toBeLessThan(4_500);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const failed = () => Promise.reject(new Error("EMFILE"));
  expect((await after(60, (look) => (look % 4 === 1 ? nobody() : failed()))).change).toBe("lead_gone"); // four times nobody
  expect((await after(60, failed)).change).toBeNull();
  expect((await after(60, (look) => (look % 4 === 0 ? undefined : nobody()))).change).toBeNull();
});

it("a teammate goes where the process that started it waits to be reaped, or another one has its number", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const clock = instantClock();
  const options = { store: temp.store, clock, logger: silentLogger };
  const other = { ...temp.store.process, startTime: "1" };
  const watching = { options, team: { folder: "demo" } };
  const stop = new AbortController();
  expect(await untilNobodyLeads(watching, { session: LEAD_SESSION, process: other }, stop.signal)).toBe("lead_gone");
  expect(clock.now()).toBeLessThan(5_500);
});

it("a teammate goes at its first look where the process that started it is gone, whoever leads then", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const clock = instantClock();
  const options = { store: temp.store, clock, logger: silentLogger };
  const gone = { pid: child.pid ?? 0, host: temp.store.process.host, startTime: "1" };
  const stop = new AbortController();
  const watching = { options, team: { folder: "demo" } };
  expect(await untilNobodyLeads(watching, { session: LEAD_SESSION, process: gone }, stop.signal)).toBe("lead_gone");
  expect(clock.sleeps).toHaveLength(1);
});
