import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { MusterError } from "../../src/base/errors.ts";
import type { Turn } from "../../src/demo/script.ts";
import { steps } from "../../src/demo/script.ts";
import type { Store } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, spawn, team } from "../support/teamScripts.ts";

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
      for (const pid of fault.pids.values()) expect(() => process.kill(pid, 0)).toThrow();
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
