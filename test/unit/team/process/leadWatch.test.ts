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
