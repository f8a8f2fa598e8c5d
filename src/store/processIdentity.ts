import { open, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { errorCode } from "../base/errors.ts";
import { sha256Hex } from "../protocol/digest.ts";

/**
 * Which process, so that a later one with the same number is not taken for it. `host` names the machine and, on Linux,
 * the space of process numbers; `startTime` is null where the platform does not tell it.
 */
export interface ProcessIdentity {
  pid: number;
  host: string;
  startTime: string | null;
}

/** What is known of a process: `unknown` for those of other hosts. */
export type ProcessState = "alive" | "dead" | "unknown";

/** Port to the machine's processes. */
export interface Processes {
  self(): Promise<ProcessIdentity>;
  state(identity: ProcessIdentity): Promise<ProcessState>;
}

/** The machine's processes. */
export function machineProcesses(): Processes {
  let self: Promise<ProcessIdentity> | undefined;
  const ask = () => {
    self ??= readSelf();
    return self;
  };
  return {
    self: ask,
    async state(identity) {
      const here = await ask();
      if (identity.host !== here.host) return "unknown";
      if (!signalReaches(identity.pid)) return "dead";
      if (identity.startTime === null || here.startTime === null) return "alive";
      const startTime = await startTimeOf(identity.pid);
      return startTime === identity.startTime ? "alive" : "dead";
    },
  };
}

async function readSelf(): Promise<ProcessIdentity> {
  return { pid: process.pid, host: await readHost(), startTime: await startTimeOf(process.pid) };
}

async function readHost(): Promise<string> {
  const space = await readlink("/proc/self/ns/pid").catch(() => null); // Linux only
  return space === null ? hostname() : `${hostname()}#${space}`;
}

/** Three hexadecimal digits of this `host`: of a file that names a process by its number, they say on which one. */
export async function hostMark(): Promise<string> {
  return sha256Hex(await readHost()).slice(0, 3);
}

/** Ticks since boot, or null where there is no /proc, where the process is gone, or where it only waits to be reaped. */
export async function startTimeOf(pid: number): Promise<string | null> {
  const text = await readStart(`/proc/${pid}/stat`).catch(() => null); // gone, or no such file system
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
}

/** What a file of /proc begins with: it says no size, and a reader of whole files would make room for 64 KB. */
async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Whether there is a process of this number: asked of the system at once, without a file. A dead one may still be there. */
export function signalReaches(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
