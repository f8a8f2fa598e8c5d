import { globSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eventually } from "./eventually.ts";

/** A process as Linux tells of it. */
export interface Trace {
  pid: number;
  parent: number;
  /** Ticks since the machine's start: tells it from a later process of the same number. */
  startTime: string;
  command: string;
}

/**
 * The processes of a test, as of now: those whose arguments or environment name its folder, guards that the test's own
 * process started, and all that descend from these. Linux only. tmux servers are left out: they belong to a bystander too.
 */
export function processesOf(folder: string): Trace[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (traceOf(name) ?? []) : []));
  const isGuard = ({ parent, command }: Trace) => parent === process.pid && command.includes("muster-guard");
  const found = new Set(all.filter((trace) => isGuard(trace) || names(trace, folder)));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    const pids = new Set([...found].map(({ pid }) => pid));
    for (const trace of all) if (pids.has(trace.parent)) found.add(trace);
  }
  return [...found].filter(({ command }) => !/^tmux\b/.test(command));
}

/** Waits until every process of a test has ended, where the system tells. */
export async function untilEnded(folder: string): Promise<void> {
  if (process.platform !== "linux") return;
  await eventually(`the end of every process of ${folder}`, () => processesOf(folder).length === 0);
}

/** Whether it still runs, and does not only wait to be fetched. */
export function isRunning({ pid, startTime }: Trace): boolean {
  return traceOf(String(pid))?.startTime === startTime;
}

/** Whether a process of this number runs, and does not only wait to be fetched by the one that started it. */
export function isAlive(pid: number): boolean {
  if (process.platform === "linux") return traceOf(String(pid)) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // there is no such process
  }
}

/** Ends a process as a crash does. @throws Error where none is given: the number 0 would end the test's own group. */
export function kill(pid: number | undefined): void {
  if (!pid) throw new Error("The process that is to be killed is not there.");
  process.kill(pid, "SIGKILL");
}

/** What a team leaves on disk and must not: locks, temporary files, spawn files; paths below the folders that are given. */
export function filesLeft(root: string, temporary: readonly string[]): string[] {
  const patterns = ["**/*.lock/", "**/.lock.lock/", "**/*.tmp", "teams/*/muster/spawn/*"];
  return [
    ...globSync(patterns, { cwd: root }),
    ...temporary.flatMap((folder) => globSync(["muster*", "*.tmp"], { cwd: folder })),
  ];
}

/** The process whose children are the kernel's own threads. */
const KERNEL = "2";

function traceOf(pid: string): Trace | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The fields behind the name, which is in parentheses: state, parent, …, start time as the 20th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[1] === KERNEL) return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
    return { pid: Number(pid), parent: Number(fields[1]), startTime: fields[19] ?? "", command };
  } catch {
    return undefined; // it has ended
  }
}

function names({ pid, command }: Trace, folder: string): boolean {
  if (command.includes(folder + path.sep)) return true;
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(folder);
  } catch {
    return false; // another person's, or one that has ended
  }
}
