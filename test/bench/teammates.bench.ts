import { setTimeout as sleep } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { buildCli } from "../support/buildCli.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { openTmuxServer, type TmuxServer } from "../support/tmuxServer.ts";
import {
  deliveryTimes,
  idleShares,
  namedTeam,
  now,
  percent,
  report,
  reportIdle,
  reportLoad,
  reportOneMore,
  reportProcessMemory,
  STARTS,
  settle,
  WAITING,
} from "./support/teammateFigures.ts";

/**
 * Figures of teammates in this process and in tmux, beside those of Claude Code 2.1.41 and 2.1.332 on a machine of the
 * same kind, with a model that answers at once. Nothing is asserted. Linux only: memory and CPU are read from /proc.
 */
const BACKENDS = ["in-process", "tmux"] as const;
type Where = (typeof BACKENDS)[number];

/** Beside `WAITING` others: what a collection happens to leave is more than one teammate takes. */
const MORE = 24;

const cli = await buildCli();
reportLoad();
for (const where of BACKENDS) {
  await starts(where);
  if (where === "in-process") await growth();
  await waiting(where);
  await deliveries(where);
}
cli.remove();

/** A session whose lead spawns whom the person names. */
async function open(where: Where): Promise<{ host: TeamHost; close(): Promise<void> }> {
  const tmux: TmuxServer | undefined = where === "tmux" ? await openTmuxServer() : undefined;
  const processes = tmux ? { processes: { starter: tmux.starter(), cli: cli.file } } : {};
  const host = await openTeamHost(namedTeam(), { maxMembers: WAITING + MORE }, processes);
  host.session.start("Measure.");
  await host.rest();
  return {
    host,
    async close() {
      await host[Symbol.asyncDispose]();
      await tmux?.close();
    },
  };
}

async function spawnMembers(host: TeamHost, ...names: string[]): Promise<void> {
  await host.session.say("team-lead", `Spawn ${names.join(" ")}.`);
  await host.until("them to be idle", () => names.every((name) => stateOf(host, name) === "idle"), 60_000);
  await host.rest();
}

function stateOf({ session }: TeamHost, member: string): string | undefined {
  return session.members().find(({ name }) => name === member)?.state;
}

/** From the lead's tool call to the teammate's first request to the model. */
async function starts(where: Where): Promise<void> {
  const { host, close } = await open(where);
  const times: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const called = new Promise<number>((resolve) => {
      const subscription = host.session.events((event) => {
        if (event.type !== "tool_start" || event.name !== "Task") return;
        subscription.dispose();
        resolve(now());
      });
    });
    const asked = nextRequest(host, "alice");
    await spawnMembers(host, "alice");
    times.push((await asked) - (await called));
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => stateOf(host, "alice") === undefined);
    await host.rest();
  }
  await close();
  report("spawn → first request", times, "start", where);
}

/** Memory of one more teammate in this process, with what the scripted model keeps of its request. */
async function growth(): Promise<void> {
  const { host, close } = await open("in-process");
  await spawnMembers(host, ...membersNamed("early", WAITING));
  const before = await ownMemory();
  await spawnMembers(host, ...membersNamed("late", MORE));
  reportOneMore(((await ownMemory()) - before) / MORE);
  await close();
}

function membersNamed(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

/** Memory and CPU of teammates that have nothing to do. */
async function waiting(where: Where): Promise<void> {
  const { host, close } = await open(where);
  const names = membersNamed("member", WAITING);
  await spawnMembers(host, ...names);
  const { presence } = await host.store.snapshots.read("demo");
  const pids = names.map((name) => presence.get(name)?.pid ?? 0);
  await settle();
  if (where === "tmux") reportProcessMemory(pids, where);
  const shares = await idleShares(where === "tmux" ? [...pids, process.pid] : [process.pid]);
  const lead = where === "tmux" ? (shares.pop() ?? 0) : null;
  const together = shares.reduce((sum, one) => sum + one, 0);
  reportIdle(together, lead === null ? " (with their lead)" : `, their lead's process ${percent(lead)}`, where);
  await close();
}

async function deliveries(where: Where): Promise<void> {
  const { host, close } = await open(where);
  await spawnMembers(host, "alice");
  const times = await deliveryTimes({
    ...{ store: host.store, member: "alice", until: host.until },
    nextRequest: () => nextRequest(host, "alice"),
    isIdle: () => stateOf(host, "alice") === "idle",
  });
  await close();
  report("delivery by another process, write → request", times, "delivery", where);
}

function nextRequest({ server }: TeamHost, member: string): Promise<number> {
  return new Promise((resolve) => {
    const subscription = server.onRequest((record) => {
      if (record.member !== member) return;
      subscription.dispose();
      resolve(now());
    });
  });
}

/** What is in use after collections: the pages of the process were claimed long before. */
async function ownMemory(): Promise<number> {
  v8.setFlagsFromString("--expose-gc");
  const collect = vm.runInNewContext("gc") as () => void;
  for (let times = 0; times < 4; times += 1) {
    collect();
    await sleep(20); // what is freed only in a later turn
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
