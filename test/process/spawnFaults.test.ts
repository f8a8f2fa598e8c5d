import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { MusterError } from "../../src/base/errors.ts";
import type { Turn } from "../../src/demo/script.ts";
import { call, steps } from "../../src/demo/script.ts";
import type { Store } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { faultSwitch } from "../support/faultyStore.ts";
import { heldStarter, idleProgram } from "../support/heldStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, spawn, task, team, update } from "../support/teamScripts.ts";
import { isAlive } from "../support/traces.ts";

const cli = useBuiltCli();

/** What a spawn does, in its order; each fails once. */
const STEPS = [
  "teams.addMember",
  "inboxes.send 2", // the first one is the person's word to the lead
  "inboxes.patchEntries",
  "teams.updateMember 1",
  "spawns.write",
  "starter.start",
  "teams.updateMember 2",
  "the process ends",
] as const;
type StepName = (typeof STEPS)[number];

/** Fails `step` the first time that a spawn comes to it. */
function faulty(step: StepName) {
  const counts = new Map<string, number>();
  let done = false;
  const comes = (call: string): boolean => {
    counts.set(call, (counts.get(call) ?? 0) + 1);
    const numbered = `${call} ${counts.get(call)}`;
    if (done || (step !== call && step !== numbered)) return false;
    done = true;
    return true;
  };
  const fail = () => Promise.reject(new MusterError("not_ready", "There is no room on the disk."));
  const through = <T extends object>(part: T, name: string): T =>
    new Proxy(part, {
      get(target, key) {
        const value = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => (comes(`${name}.${String(key)}`) ? fail() : value.apply(target, args));
      },
    });
  const starter = childStarter();
  const started: string[] = [];
  return {
    starter: {
      ...starter,
      start: async (spec, signal) => {
        if (comes("starter.start")) return fail();
        started.push(spec.name);
        const ends = comes("the process ends");
        return starter.start(ends ? { ...spec, argv: [process.execPath, "-e", "process.exit(3)"] } : spec, signal);
      },
    } satisfies ReturnType<typeof childStarter>,
    pids: starter.pids,
    started,
    throughStore: (store: Store): Store => ({
      ...store,
      get process() {
        return store.process;
      },
      teams: through(store.teams, "teams"),
      inboxes: through(store.inboxes, "inboxes"),
      spawns: through(store.spawns, "spawns"),
    }),
    get failed() {
      return done;
    },
  };
}

describe("a teammate's start that fails", () => {
  it.each(STEPS)(
    "at %s leaves no member, no process and no file, and succeeds when it is tried again (row 43)",
    async (step) => {
      const fault = faulty(step);
      const asked = ({ incoming }: Turn) => incoming.text.includes("Spawn");
      const host = await openTeamHost(
        team({
          "team-lead": steps([calls(createTeam), "Ready."], (turn) => (asked(turn) ? calls(spawn("alice")) : "Fine.")),
        }),
        {},
        { throughStore: fault.throughStore, processes: { starter: fault.starter, cli: cli.file } },
      );
      await using _ = host;
      host.session.start("Go.");
      await host.rest();
      await host.session.say("team-lead", "Spawn alice.");
      await host.until("the failure", () => fault.failed);
      await host.rest();
      expect(host.lastSent("team-lead")).toMatch(/(There is no room on the disk|its process ended at once).*is_error/);
      const names = async () => (await host.store.teams.read("demo")).members.map(({ name }) => name);
      const spawnFiles = () => {
        const folder = path.join(host.root, "teams/demo/muster/spawn");
        return readdirSync(path.dirname(folder)).includes("spawn") ? readdirSync(folder) : [];
      };
      expect(await names()).toEqual(["team-lead"]);
      expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead"]);
      expect(spawnFiles()).toEqual([]);
      await host.store.inboxes.settled();
      expect(await host.store.inboxes.list("demo")).toEqual(["team-lead"]);
      expect([...fault.pids.values()].filter(isAlive)).toEqual([]);
      const before = fault.started.length;

      await host.session.say("team-lead", "Spawn alice again.");
      await host.until(
        "alice to be idle",
        () => host.session.members().find(({ name }) => name === "alice")?.state === "idle",
      );
      await host.rest();
      expect(await names()).toEqual(["team-lead", "alice"]);
      expect(fault.started.slice(before)).toEqual(["alice"]);
      expect(spawnFiles()).toEqual([]);
      expect(host.count("alice")).toBe(1);
    },
  );
});

/** Lives on, and says that it is ready with another nonce than that of its spawn file, or says nothing. */
function stranger(says: "a wrong nonce" | "nothing"): string {
  return `
    import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
    import path from "node:path";
    const file = process.argv[process.argv.indexOf("--spawn-file") + 1];
    const { nonce } = JSON.parse(readFileSync(file, "utf8"));
    const folder = path.join(file, "../../presence");
    const at = Date.now();
    const presence = { incarnation: "", state: "idle", since: at, beat: at, pid: process.pid, host: "h", startTime: null };
    mkdirSync(folder, { recursive: true });
    if (${says === "a wrong nonce"}) writeFileSync(path.join(folder, "alice.json"), JSON.stringify({ ...presence, nonce: nonce + "0" }));
    setInterval(() => {}, 1e6);`;
}

/** A place that ends its process and cannot be closed then, as in a tmux that hangs. */
function unclosed(starter: ReturnType<typeof childStarter>): ReturnType<typeof childStarter> {
  return {
    ...starter,
    async start(spec, signal) {
      const started = await starter.start(spec, signal);
      const kill = async () => {
        await started.kill();
        throw new MusterError("not_ready", "tmux does not answer: look whether its server hangs.");
      };
      return { ...started, kill };
    },
  };
}

describe("a teammate's process that is not ready in its time", () => {
  it.each([
    { says: "a wrong nonce", closes: true },
    { says: "nothing", closes: true },
    { says: "nothing", closes: false },
  ] as const)(
    "because it says $says is ended, and nothing of it is left (its place closes: $closes)",
    async ({ says, closes }) => {
      const starter = closes ? childStarter("SIGKILL") : unclosed(childStarter("SIGKILL"));
      const ready = Promise.withResolvers<void>();
      const argv = [process.execPath, "--input-type=module", "-e", stranger(says), "--"];
      const program = { argv, isOwn: true, isSigned: true, env: { PATH: process.env["PATH"] ?? "" } };
      // the half minute in which it should be ready is over when the test says so
      const sleep = (ms: number, signal: AbortSignal) =>
        ms === 30_000 ? ready.promise : systemClock.sleep(ms, signal);
      const host = await openTeamHost(
        team({ "team-lead": steps([calls(createTeam), calls(spawn("alice")), "I see."], () => "Fine.") }),
        {},
        { clock: { ...systemClock, sleep }, processes: { starter, cli: cli.file, program } },
      );
      await using _ = host;
      host.session.start("Go.");
      const pid = await host.until("its process", () => starter.pids.get("alice"));
      const presence = async () => (await host.store.presence.readAll("demo")).get("alice");
      if (says === "a wrong nonce") await host.until("its presence", presence);
      expect(host.count("team-lead")).toBe(2); // the call that started it still waits
      ready.resolve();
      await host.rest();
      expect(host.lastSent("team-lead")).toMatch(/alice was not started: it did not say within 30 s that it is ready/);
      expect(isAlive(pid)).toBe(false);
      expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
      expect(await presence()).toBeUndefined();
      expect(readdirSync(path.join(host.root, "teams/demo/muster/spawn"))).toEqual([]);
      await host.store.inboxes.settled();
      expect(await host.store.inboxes.list("demo")).toEqual([]);
    },
  );
});

/** What the taking back of a start does beside ending its process; each fails once. */
const STEPS_BACK = [
  "spawns.remove",
  "tasks.releaseOwner",
  "teams.removeMember",
  "presence.remove",
  "live.clear",
  "inboxes.takeBack",
] as const;

it.each(STEPS_BACK)(
  "a start that failed is taken back although %s fails, and its lead is told why it failed",
  async (step) => {
    const fault = faultSwitch(step);
    const { starter } = heldStarter();
    const sleep: Clock["sleep"] = (ms, signal) => systemClock.sleep(ms > 500 ? 50 : ms, signal); // beats come at once
    const full: typeof starter = {
      ...starter,
      async start() {
        fault.arm();
        throw new MusterError("not_ready", "There is no room.");
      },
    };
    const host = await openTeamHost(
      team({ "team-lead": steps([calls(createTeam), calls(spawn("alice")), "I see."], () => "Fine.") }),
      {},
      {
        throughStore: fault.throughStore,
        clock: { ...systemClock, sleep },
        processes: { starter: full, cli: cli.file, program: idleProgram },
      },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.until("the lead to be told", () => host.count("team-lead") === 3);
    expect(host.lastSent("team-lead")).toMatch(/There is no room\..*is_error/);
    expect(fault.failed).toBeGreaterThan(0);
    fault.disarm();
    await host.rest();
    expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead"]);
    await host.store.inboxes.settled();
    expect(await host.store.inboxes.list("demo")).toEqual([]);
    expect(host.session.spent().map(({ name }) => name)).toEqual(["team-lead"]);
  },
);

it("a teammate that is at work before its lead knows is ended all the same, and nothing of it is left", async () => {
  const starter = childStarter();
  const told = Promise.withResolvers<void>();
  const late: typeof starter = {
    ...starter,
    async start(spec, signal) {
      const started = await starter.start(spec, signal);
      await told.promise; // as on a busy machine
      return started;
    },
  };
  const host = await openTeamHost(
    team({
      "team-lead": steps([calls(createTeam), calls(task("First")), calls(spawn("alice")), "I see."], () => "Fine."),
      alice: steps([calls(update("1", { status: "in_progress" }))], () => calls(call("Bash", { command: "sleep 60" }))),
    }),
    { permissionMode: "bypassPermissions", autoClaim: false },
    { processes: { starter: late, cli: cli.file } },
  );
  await using _ = host;
  host.session.start("Go.");
  await host.until("alice at work", () => host.count("alice") > 1);
  await host.session.say("alice", "Are you there?");
  const ended = host.session.endMember("alice", "no time");
  told.resolve();
  await ended;
  await host.until("the lead to know", () => host.lastSent("team-lead").includes("alice was not started."));
  await host.rest();
  const sent = host.sent("team-lead").join("\n");
  expect(sent).toContain("1 task(s) were unassigned: #1");
  expect(sent).toMatch(/1 message\(s\) to it were not read: user: .*Are you there/);
  expect(sent).not.toMatch(/not read.*You are alice/);
  expect((await host.store.tasks.list("demo")).tasks.get("1")).toMatchObject({ status: "pending" });
  const spent = host.session.spent().filter(({ name }) => name === "alice");
  expect(spent.flatMap(({ bills }) => bills)).not.toEqual([]);
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
  expect([...starter.pids.values()].filter(isAlive)).toEqual([]);
  await expect(host.session.endMember("alice", "again")).rejects.toMatchObject({ reason: "unknown_member" });
});

it("a teammate that does not come can be ended while it is waited for, and its lead is told", async () => {
  const starter = childStarter("SIGKILL");
  const argv = [process.execPath, "--input-type=module", "-e", stranger("nothing"), "--"];
  const program = { argv, isOwn: true, isSigned: true, env: { PATH: process.env["PATH"] ?? "" } };
  const host = await openTeamHost(
    team({ "team-lead": steps([calls(createTeam), calls(spawn("alice")), "I see."], () => "Fine.") }),
    {},
    { processes: { starter, cli: cli.file, program } },
  );
  await using _ = host;
  host.session.start("Go.");
  const pid = await host.until("its process", () => starter.pids.get("alice"));
  await host.session.endMember("alice", "no time");
  expect(isAlive(pid)).toBe(false);
  await host.rest();
  expect(host.lastSent("team-lead")).toMatch(/alice was ended while it was started/);
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
  await host.store.inboxes.settled();
  expect(await host.store.inboxes.list("demo")).toEqual([]);
});

it("a teammate that is being started where its host goes away ends, and goes on with the next host", async () => {
  const starter = childStarter("SIGKILL");
  const argv = [process.execPath, "--input-type=module", "-e", stranger("nothing"), "--"];
  const program = { argv, isOwn: true, isSigned: true, env: { PATH: process.env["PATH"] ?? "" } };
  const lead = steps([calls(createTeam), calls(spawn("alice")), "I see."], () => "Fine.");
  const host = await openTeamHost(
    team({ "team-lead": lead, alice: steps(["Here."], () => "Still here.") }),
    {},
    { processes: { starter, cli: cli.file, program } },
  );
  await using _ = host;
  host.session.start("Go.");
  const pid = await host.until("its process", () => starter.pids.get("alice"));
  await host.session.suspend();
  expect(isAlive(pid)).toBe(false);
  expect(readdirSync(path.join(host.root, "teams/demo/muster/spawn"))).toEqual([]);
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead", "alice"]);
  await host.resume("in-process");
  await host.until("its first request", () => host.count("alice") > 0);
  await host.rest();
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead", "alice"]);
});
