import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { type ProcessIdentity, startTimeOf } from "../../../../src/store/processIdentity.ts";
import { untilNobodyLeads } from "../../../../src/team/process/leadWatch.ts";
import { eventually } from "../../../support/eventually.ts";
import { instantClock } from "../../../support/manualClock.ts";
import { createDemo, LEAD_SESSION, openTempStore } from "../../../support/tempStore.ts";

it("a teammate goes where another process leads its session than the one that started it, from its first look on", async () => {
  const [started, next] = [process.ppid, process.pid].map(
    (pid): ProcessIdentity => ({ pid, host: "here", startTime: "1" }),
  ) as [ProcessIdentity, ProcessIdentity];
  const processes = { self: async () => next, state: async () => "alive" as const };
  await using temp = await openTempStore({ processes });
  await createDemo(temp.store);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const change = async (process: ProcessIdentity, looks: number) => {
    const stop = new AbortController();
    const clock = instantClock();
    const sleep: typeof clock.sleep = (ms, signal) => {
      if (clock.sleeps.length >= looks) stop.abort();
      return clock.sleep(ms, signal);
    };
    const options = { store: temp.store, clock: { ...clock, now: clock.now, sleep }, logger: silentLogger };
    const lead = { session: LEAD_SESSION, process };
    return await untilNobodyLeads({ options, team: { folder: "demo" } }, lead, stop.signal);
  };
  expect(await change(started, 100)).toBe("lead_gone");
  expect(await change(next, 20)).toBeNull();
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

/** How long a teammate sleeps until it goes where another process leads than the one that started it; null: it stays. */
async function sleepsUntilGone(started: (here: ProcessIdentity) => ProcessIdentity): Promise<number[] | null> {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await temp.store.leads.acquire("demo", LEAD_SESSION);
  const clock = instantClock();
  const options = { store: temp.store, clock, logger: silentLogger };
  const lead = { session: LEAD_SESSION, process: started(temp.store.process) };
  const stop = new AbortController();
  const change = await untilNobodyLeads({ options, team: { folder: "demo" } }, lead, stop.signal);
  return change === "lead_gone" ? clock.sleeps : null;
}

it("a teammate goes at its first look where another process has the number of the one that started it", async () => {
  expect(await sleepsUntilGone((here) => ({ ...here, startTime: "1" }))).toEqual([2_500]);
});

it("a teammate goes at its first look where the process that started it is gone, whoever leads then", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  expect(await sleepsUntilGone(({ host }) => ({ pid: child.pid ?? 0, host, startTime: "1" }))).toEqual([2_500]);
});

it.runIf(process.platform === "linux")(
  "a teammate goes at its first look where the process that started it was killed and nobody reaps it",
  async () => {
    const script = "sleep 1000 & echo $!; exec sleep 1000"; // the second knows nothing of the first, its child
    const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(parent.stdout, "data");
    const pid = Number(String(line));
    const startTime = await startTimeOf(pid);
    const shell = async () => (await readFile(`/proc/${parent.pid}/cmdline`, "utf8")).startsWith("sh");
    await eventually("the shell to be gone", async () => !(await shell()));
    process.kill(pid, "SIGKILL");
    await eventually("its end", async () => (await startTimeOf(pid)) === null);
    expect(process.kill(pid, 0)).toBe(true);
    expect(await sleepsUntilGone(({ host }) => ({ pid, host, startTime }))).toEqual([2_500]);
  },
);
