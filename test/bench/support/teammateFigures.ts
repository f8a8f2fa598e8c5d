import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { steps, type Turn } from "../../../src/demo/script.ts";
import type { Store } from "../../../src/store/store.ts";
import { percentile } from "../../stress/storeProcesses.ts";
import { calls, createTeam, spawn as spawnCall, team } from "../../support/teamScripts.ts";

/** How often, and for how long, teammates are measured in every backend. Linux only: /proc tells of a process. */
export const STARTS = 10;
export const WAITING = 8;
const MESSAGES = 50;
/** After the start V8 tidies up once; what follows is what waiting costs. */
const SETTLE_SECONDS = 15;
const IDLE_SECONDS = 60;

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Figures of Claude Code 2.1.41 and 2.1.332 on a machine of the same kind, with a model that answers at once. */
const REFERENCE = {
  start: { "in-process": "no figure", terminal: "no such backend", tmux: "600–1,500 ms" },
  memory: { "in-process": "no figure", terminal: "no such backend", tmux: "226–321 MiB" },
  cpu: { "in-process": "no figure", terminal: "no such backend", tmux: "0.2–2 % each" },
  delivery: { "in-process": "323 and 364 ms", terminal: "no such backend", tmux: "644 and 420 ms" },
} as const;
export type Where = keyof typeof REFERENCE.start;

/** A lead that spawns, or asks to stop, whom the person names: `Spawn a b c.`, `Stop a.` */
export function namedTeam() {
  const wanted = (verb: string, { incoming }: Turn) =>
    new RegExp(`${verb} ([\\w ]+)\\.`).exec(incoming.text)?.[1]?.split(" ");
  const obey = (turn: Turn) => {
    const named = wanted("Spawn", turn);
    if (named) return calls(...named.map((name) => spawnCall(name)));
    const stopped = wanted("Stop", turn);
    if (!stopped) return "Fine.";
    const ask = { type: "shutdown_request", content: "Done." };
    return calls(...stopped.map((recipient) => ({ tool: "SendMessage", input: { ...ask, recipient } })));
  };
  return team({ "team-lead": steps([calls(createTeam), "Ready."], obey) });
}

/** Prints how busy the machine is. */
export function reportLoad(): void {
  const load = os.loadavg().map((one) => one.toFixed(1));
  console.log(`load ${load.join(" ")}`);
}

export function report(what: string, times: readonly number[], kind: "start" | "delivery", where: Where): void {
  const at = (share: number) => percentile(times, share).toFixed(0);
  console.log(
    `${what}, ${where}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, of ${times.length} (reference: ${REFERENCE[kind][where]})`,
  );
}

/** Lets teammates that have just begun come to rest. */
export function settle(): Promise<void> {
  return sleep(SETTLE_SECONDS * 1000);
}

/** What teammates take as processes: all of it, and what no other process shares (without the pages of Node's file). */
export function reportProcessMemory(pids: readonly number[], where: Where): void {
  const [all, own] = [residentBytes, privateBytes].map((bytesOf) => mebibytes(percentile(pids.map(bytesOf), 0.5)));
  const shared = `median ${all} MiB, of it ${own} in no other process`;
  console.log(`memory of a waiting teammate's process, ${where}: ${shared} (reference: ${REFERENCE.memory[where]})`);
}

/** `bytes`: of one more teammate in the process of its lead. */
export function reportOneMore(bytes: number): void {
  const where = "in-process";
  console.log(`heap of one more teammate, ${where}: ${mebibytes(bytes)} MiB (reference: ${REFERENCE.memory[where]})`);
}

function mebibytes(bytes: number): string {
  const mib = bytes / 1024 / 1024;
  return mib.toFixed(mib < 1 ? 2 : 1);
}

/** What processes use while their teammates wait: the share of a core of each, in the order of `pids`. */
export async function idleShares(pids: readonly number[]): Promise<number[]> {
  const before = pids.map(cpuSeconds);
  await sleep(IDLE_SECONDS * 1000);
  return pids.map((pid, index) => (cpuSeconds(pid) - (before[index] ?? 0)) / IDLE_SECONDS);
}

/** `together`: the share of a core of all teammates; `besides`: what else was measured. */
export function reportIdle(together: number, besides: string, where: Where): void {
  console.log(
    `${WAITING} waiting teammates, ${where}: ${percent(together)} of a core together${besides} (reference: ${REFERENCE.cpu[where]})`,
  );
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** An idle teammate, the files of its team, and its next request to the model (ms, as `now` gives it). */
export interface Recipient {
  store: Store;
  member: string;
  nextRequest(): Promise<number>;
  /** Resolves when `check` holds. */
  until(what: string, check: () => Promise<boolean>): Promise<unknown>;
  isIdle(): boolean | Promise<boolean>;
}

/** From the write of a message by another process to the idle teammate's next request, `MESSAGES` times. */
export async function deliveryTimes({ store, member, nextRequest, until, isIdle }: Recipient): Promise<number[]> {
  const file = store.paths.team("demo").inbox(member);
  const writer = spawn(process.execPath, [path.join(import.meta.dirname, "../children/inboxWriter.ts"), file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: writer.stdout })[Symbol.asyncIterator]();
  const before = (await store.inboxes.read("demo", member)).entries.length;
  const times: number[] = [];
  for (let n = 1; n <= MESSAGES; n += 1) {
    const arrival = nextRequest();
    writer.stdin.write(`Message ${n}\n`);
    const written = Number((await lines.next()).value);
    times.push((await arrival) - written);
    await until("rest", async () => {
      const { entries } = await store.inboxes.read("demo", member);
      return entries.length === before + n && entries.every(({ read }) => read) && (await isIdle());
    });
  }
  writer.stdin.end();
  await once(writer, "exit");
  return times;
}

/** Milliseconds that two processes of one machine can compare. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES;
}

/** What of a process's memory no other process shares, in bytes: without the pages of Node's own file. */
function privateBytes(pid: number): number {
  const lines = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").matchAll(/^Private_\w+:\s+(\d+) kB$/gm);
  return [...lines].reduce((sum, [, kib]) => sum + Number(kib) * 1024, 0);
}

/** When a process was started, in ms since the epoch, exact to 20 ms. */
export function startOf(pid: number): number {
  const [uptime = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
  return Date.now() - Number(uptime) * 1000 + (1000 * Number(statFields(pid)[19])) / TICKS_PER_SECOND;
}

/** User and system time that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** What /proc tells of a process behind its name, which is in parentheses: the state first. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
