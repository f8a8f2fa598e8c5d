import { readdirSync, readFileSync } from "node:fs";
import v8 from "node:v8";
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { steps, type Turn } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { reachOf } from "../support/longRows.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();
const reach = reachOf("cycles");

/** Cycles before the first measurement: caches and code are warm then. */
const WARM = 2;
const CYCLES = reach.pick(3, 100);

/** What may differ between two measurements that should be alike: a timer's or a connection's descriptor, garbage. */
const FEW = 3;
const HEAP_BYTES = 16 * 1024 * 1024;

/** A lead that spawns alice whenever the person asks for it. */
function leadScript() {
  const asked = ({ incoming }: Turn) => incoming.text.includes("Spawn alice");
  return steps([calls(createTeam), "Ready."], (turn) => (asked(turn) ? calls(spawn("alice")) : "Fine."));
}

async function cycle(host: TeamHost): Promise<void> {
  const members = () => host.session.members().map(({ name }) => name);
  await host.session.say("team-lead", "Spawn alice.");
  await host.until(
    "alice to be idle",
    () => host.session.members().find(({ name }) => name === "alice")?.state === "idle",
  );
  await host.rest();
  await host.session.askToStop("alice", "Done.");
  await host.until("alice to leave", () => !members().includes("alice"));
  await host.rest();
  // what the server and the test keep of every request is theirs
  (host.server.requests as unknown[]).length = 0;
  host.events.length = 0;
}

function measure() {
  v8.setFlagsFromString("--expose-gc");
  (vm.runInNewContext("gc") as () => void)();
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors: readdirSync("/proc/self/fd").length,
    children: readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean)
      .length,
  };
}

describe("a hundred teammates, one after the other", () => {
  it.each([["in this process"], ["as processes"]])(
    "%s leave no memory, no process and no descriptor behind (row 78)",
    async (where) => {
      const processes = { starter: childStarter(), cli: cli.file };
      const host = await openTeamHost(
        team({ "team-lead": leadScript(), alice: script("Here.") }),
        {},
        where === "as processes" ? { processes } : {},
      );
      await using _ = host;
      host.session.start("Go.");
      await host.rest();
      for (let count = 0; count < WARM; count += 1) await cycle(host);
      const before = measure();
      const end = reach.until();
      let count = 0;
      while (count < CYCLES && Date.now() < end) {
        await cycle(host);
        count += 1;
      }
      const after = measure();
      reach.reached(count);
      console.log(`${count} cycles ${where}: ${((after.heap - before.heap) / 1024 / 1024).toFixed(1)} MiB more heap`);
      expect(after.children).toBeLessThanOrEqual(before.children);
      expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + FEW);
      expect(after.heap).toBeLessThan(before.heap + HEAP_BYTES);
    },
    reach.timeout(240_000),
  );
});
