import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { GUARD_NAME } from "../../agent/tools/commandGuard.ts";
import { findProgram } from "../../agent/tools/findProgram.ts";
import { endsInTime, killAll, signalGroup } from "../../agent/tools/processGroup.ts";
import { signalReaches, startTimeOf } from "../../store/processIdentity.ts";

/** A process, with what tells it from a later one of the same number. */
export interface KnownProcess {
  pid: number;
  /** Null where the platform does not tell. */
  startTime: string | null;
}

/**
 * Whether the process runs. One that ended and was not fetched by its parent does not, although signals reach it: tmux
 * fetches some only when the next one ends.
 */
export async function isAlive({ pid, startTime }: KnownProcess): Promise<boolean> {
  return signalReaches(pid) && (startTime === null || (await startTimeOf(pid)) === startTime);
}

/**
 * Ends a process that leads its group, and all that it started: also what left the group (`setsid`), as long as its
 * parents live. They have two seconds to end by themselves, which a teammate needs to end its commands in order. Its guard
 * is left alone: it ends what the teammate leaves, then itself.
 */
export async function endProcessTree(leader: KnownProcess, findPs = systemPs): Promise<void> {
  let left = [leader, ...(await descendants(leader.pid, findPs))];
  // A process that was forked a moment ago may not lead its group yet.
  if (!signalGroup(leader.pid, "SIGTERM")) killAll([leader]);
  await endsInTime(async () => {
    left = await alive(left);
    return left.length === 0;
  });
  signalGroup(leader.pid, "SIGKILL"); // with what it started in between
  killAll(left);
}

/**
 * Ends a process whose terminal is closed, as the closing does. One that does not heed it is killed after `graceMs`; its
 * guard ends what it leaves.
 */
export async function hangUp(ending: KnownProcess, graceMs: number): Promise<void> {
  if (!(await isAlive(ending))) return; // its number may be another's by now
  send(ending, "SIGHUP");
  if (await endsInTime(async () => !(await isAlive(ending)), graceMs)) return;
  send(ending, "SIGKILL");
}

function send({ pid }: KnownProcess, signal: "SIGHUP" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has gone meanwhile
  }
}

async function alive(processes: readonly KnownProcess[]): Promise<KnownProcess[]> {
  const states = await Promise.all(processes.map(isAlive));
  return processes.filter((_, index) => states[index]);
}

function systemPs(): Promise<string | undefined> {
  return findProgram("ps", ["/bin/ps", "/usr/bin/ps"], undefined, "/nonexistent");
}

/** Without the guard of its commands. None where there is no `ps`, or it fails: the leader's group is ended all the same. */
async function descendants(root: number, findPs: typeof systemPs): Promise<KnownProcess[]> {
  try {
    const ps = await findPs();
    return ps === undefined ? [] : await descendantsBy(ps, root);
  } catch {
    return [];
  }
}

async function descendantsBy(ps: string, root: number): Promise<KnownProcess[]> {
  const { stdout } = await promisify(execFile)(ps, ["-A", "-o", "pid=,ppid="]);
  const children = new Map<number, number[]>();
  for (const line of stdout.trim().split("\n")) {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const own = children.get(root) ?? [];
  const guards = await Promise.all(own.map((pid) => isGuard(ps, pid)));
  const found = own.filter((_, index) => !guards[index]);
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return Promise.all(found.map(async (pid) => ({ pid, startTime: await startTimeOf(pid) })));
}

/** Asked for one process at a time: a list with arguments, which may hold line ends, could name any process as a child. */
async function isGuard(ps: string, pid: number): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(ps, ["-ww", "-o", "args=", "-p", String(pid)]);
    return stdout.startsWith("/bin/sh -c ") && stdout.includes(GUARD_NAME);
  } catch {
    return false; // it has ended
  }
}
