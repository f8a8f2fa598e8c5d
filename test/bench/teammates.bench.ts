import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";
import { steps, type Turn } from "../../src/demo/script.ts";
import { percentile } from "../process/storeProcesses.ts";
import { buildCli } from "../support/buildCli.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, spawn as spawnCall, team } from "../support/teamScripts.ts";
import { openTmuxServer, type TmuxServer } from "../support/tmuxServer.ts";

/**
 * Figures of teammates in this process and in tmux, beside those of Claude Code 2.1.41 and 2.1.332 on a machine of the
 * same kind, with a model that answers at once. Nothing is asserted. Linux only: memory and CPU are read from /proc.
 */
const STARTS = 10;
const WAITING = 8;
/** After the start V8 tidies up once; what follows is what waiting costs. */
const SETTLE_SECONDS = 15;
const IDLE_SECONDS = 60;
const MESSAGES = 50;
const BACKENDS = ["in-process", "tmux"] as const;
type Where = (typeof BACKENDS)[number];

const REFERENCE = {
  start: { "in-process": "no figure", tmux: "600–1,500 ms" },
  memory: { "in-process": "no figure", tmux: "226–321 MiB" },
  cpu: { "in-process": "no figure", tmux: "0.2–2 % each" },
  delivery: { "in-process": "323 and 364 ms", tmux: "644 and 420 ms" },
} as const;

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

const cli = await buildCli();
console.log(
  `load ${os
    .loadavg()
    .map((load) => load.toFixed(1))
    .join(" ")}`,
);
for (const where of BACKENDS) {
  await starts(where);
  await waiting(where);
  await deliveries(where);
}
cli.remove();

/** A session whose lead spawns whom the person names: `Spawn a b c.` */
async function open(where: Where): Promise<{ host: TeamHost; close(): Promise<void> }> {
  const tmux: TmuxServer | undefined = where === "tmux" ? await openTmuxServer() : undefined;
  const processes = tmux ? { processes: { starter: tmux.starter(), cli: cli.file } } : {};
  const names = ({ incoming }: Turn) => /Spawn ([\w ]+)\./.exec(incoming.text)?.[1]?.split(" ");
  const spawnNamed = (turn: Turn) => {
    const named = names(turn);
    return named ? calls(...named.map((name) => spawnCall(name))) : "Fine.";
  };
  const host = await openTeamHost(
    team({ "team-lead": steps([calls(createTeam), "Ready."], spawnNamed) }),
    {},
    processes,
  );
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
    const asked = firstRequest(host, "alice");
    await spawnMembers(host, "alice");
    times.push((await asked) - (await called));
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => stateOf(host, "alice") === undefined);
    await host.rest();
  }
  await close();
  report(`spawn → first request, ${where}`, times, "start", where);
}

/** Memory and CPU of teammates that have nothing to do. */
async function waiting(where: Where): Promise<void> {
  const { host, close } = await open(where);
  await spawnMembers(host, "first");
  const before = ownMemory();
  const names = Array.from({ length: WAITING - 1 }, (_, index) => `member${index}`);
  await spawnMembers(host, ...names);
  const { presence } = await host.store.snapshots.read("demo");
  const pids = ["first", ...names].map((name) => presence.get(name)?.pid ?? 0);
  const memory = where === "tmux" ? pids.map(residentBytes) : [(ownMemory() - before) / names.length];
  const what = where === "tmux" ? "memory of a teammate's process" : "memory of one more teammate";
  const mib = memory.map((bytes) => bytes / 1024 / 1024);
  console.log(
    `${what}, ${where}: median ${percentile(mib, 0.5).toFixed(1)} MiB (reference: ${REFERENCE.memory[where]})`,
  );
  const measured = where === "tmux" ? [...pids, process.pid] : [process.pid];
  await sleep(SETTLE_SECONDS * 1000);
  const cpuBefore = measured.map(cpuSeconds);
  await sleep(IDLE_SECONDS * 1000);
  const used = measured.map((pid, index) => cpuSeconds(pid) - (cpuBefore[index] ?? 0));
  const share = (seconds: number) => `${((100 * seconds) / IDLE_SECONDS).toFixed(2)} %`;
  const theirs = used.slice(0, where === "tmux" ? pids.length : 1).reduce((sum, one) => sum + one, 0);
  const lead = where === "tmux" ? `, their lead's process ${share(used.at(-1) ?? 0)}` : " (with their lead)";
  console.log(
    `${WAITING} waiting teammates, ${where}: ${share(theirs)} of a core together${lead} (reference: ${REFERENCE.cpu[where]})`,
  );
  await close();
}

/** From the write of a message by another process to the idle teammate's next request. */
async function deliveries(where: Where): Promise<void> {
  const { host, close } = await open(where);
  await spawnMembers(host, "alice");
  const file = host.store.paths.team("demo").inbox("alice");
  const writer = spawn(process.execPath, [path.join(import.meta.dirname, "children/inboxWriter.ts"), file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
  const times: number[] = [];
  for (let n = 1; n <= MESSAGES; n += 1) {
    const arrival = firstRequest(host, "alice");
    writer.stdin.write(`Message ${n}\n`);
    const written = Number((await lines.next()).value);
    times.push((await arrival) - written);
    await host.until("rest", async () => {
      const { entries } = await host.store.inboxes.read("demo", "alice");
      return entries.length === n + 1 && entries.every(({ read }) => read) && stateOf(host, "alice") === "idle";
    });
  }
  writer.stdin.end();
  await once(writer, "exit");
  await close();
  report(`delivery by another process, write → request, ${where}`, times, "delivery", where);
}

function firstRequest({ server }: TeamHost, member: string): Promise<number> {
  return new Promise((resolve) => {
    const subscription = server.onRequest((record) => {
      if (record.member !== member) return;
      subscription.dispose();
      resolve(now());
    });
  });
}

/** Milliseconds that two processes of one machine can compare. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function ownMemory(): number {
  v8.setFlagsFromString("--expose-gc");
  (vm.runInNewContext("gc") as () => void)();
  return process.memoryUsage().rss;
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
}

/** User and system time that a process has used. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function report(what: string, times: readonly number[], kind: "start" | "delivery", where: Where): void {
  const at = (share: number) => percentile(times, share).toFixed(0);
  console.log(
    `${what}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, of ${times.length} (reference: ${REFERENCE[kind][where]})`,
  );
}
