import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { neverAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import { errorCode } from "../../base/errors.ts";

/** How long a process has between the request to end and the end, in ms. */
const GRACE_MS = 2000;
const POLL_MS = 50;

/** A process that runs on after the command that started it. */
export interface Leftover {
  pid: number;
  command: string;
}

/** Whether any process of the group `pgid` lives. */
export function groupLives(pgid: number): boolean {
  return signalGroup(pgid, 0);
}

/** Asks all processes of a group to end, and kills those that are there after two seconds; on Windows, at once. */
export async function endGroup(pgid: number): Promise<void> {
  if (process.platform === "win32") return endWindowsTree(pgid);
  if (!signalGroup(pgid, "SIGTERM")) return;
  let looks = 0;
  await endsInTime(async () => {
    looks += 1;
    if (!groupLives(pgid)) return true;
    const isPowerOfTwo = (looks & (looks - 1)) === 0; // to ask for every process costs more
    return isPowerOfTwo && !(await groupRuns(pgid));
  });
  signalGroup(pgid, "SIGKILL"); // also what was forked while it was looked for
}

/**
 * Whether a process of the group runs. What has ended stays in its group until it is fetched, which the first process of a
 * container may do late or never: only Linux tells it apart.
 */
async function groupRuns(pgid: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const groups = await Promise.all((await allPids()).map((pid) => runningGroup(pid).catch(() => null)));
  return groups.includes(pgid);
}

async function allPids(): Promise<string[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
}

/** The group of a process that runs; null: it has ended. Rejects where it is gone. */
async function runningGroup(pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  // The fields behind the name, which is in parentheses: state, parent, group.
  const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return state === "Z" ? null : Number(group);
}

/** Whether what was asked to end does so within two seconds, or `graceMs`. */
export async function endsInTime(hasEnded: () => Promise<boolean>, graceMs = GRACE_MS): Promise<boolean> {
  for (let waited = 0; waited < graceMs; waited += POLL_MS) {
    await systemClock.sleep(POLL_MS, neverAborted);
    if (await hasEnded()) return true;
  }
  return false;
}

/** Windows knows no groups: a process and what descends from it, as long as their parents live. */
function endWindowsTree(pid: number): Promise<void> {
  const taskkill = path.join(process.env["SystemRoot"] ?? "C:\\Windows", "System32", "taskkill.exe");
  return new Promise((resolve) => {
    // it fails where the process has ended meanwhile
    execFile(taskkill, ["/PID", String(pid), "/T", "/F"], { windowsHide: true }, () => resolve());
  });
}

/** Kills processes, one by one. */
export function killAll(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) send(pid, "SIGKILL");
}

/**
 * The processes whose environment has a value that begins with `mark`, outside the group `pgid`: those that a command
 * started and that left its group (setsid). Only Linux shows environments; elsewhere there are none to find.
 */
export async function findMarked(mark: string, pgid: number | undefined): Promise<Leftover[]> {
  if (process.platform !== "linux") return [];
  const found = await Promise.all((await allPids()).map((pid) => describeMarked(pid, mark, pgid)));
  return found.filter((leftover) => leftover !== undefined);
}

async function describeMarked(pid: string, mark: string, pgid: number | undefined): Promise<Leftover | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1");
    if (!environment.split("\0").some((entry) => entry.startsWith(mark))) return undefined;
    const group = await runningGroup(pid);
    if (group === null || group === pgid) return undefined;
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    return { pid: Number(pid), command };
  } catch (error) {
    // Other people's processes, and those that ended meanwhile.
    if (["EACCES", "EPERM", "ENOENT", "ESRCH"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Signals all processes of a group; false where there is none. */
export function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  return send(process.platform === "win32" ? pgid : -pgid, signal);
}

/** False: there is no such process. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
    if (errorCode(error) === "EPERM") return signal === 0;
    throw error;
  }
}
