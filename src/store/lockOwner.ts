import * as z from "zod";
import { newUuid } from "../protocol/ids.ts";
import { isMissing, isTaken } from "./fsErrors.ts";
import type { Processes, ProcessIdentity } from "./processIdentity.ts";
import type { FileStat, StoreFs } from "./storeFs.ts";

/**
 * The take-over of a lock whose holder is gone. proper-lockfile's own is not safe (a late contender removes the lock of
 * the one that already took over: 90 of 300 rounds with 8 contenders), so it is switched off and this runs instead.
 *
 * `{lock}.owner` says who holds the lock (the lock directory itself must stay empty: foreign writers remove it with
 * `rmdir`). `{lock}.takeover` is a directory that holds one file named by a nonce: it is made elsewhere and renamed into
 * place, which fails while it exists with something in it; removing that very file is what ends it. So a guard that was
 * left by a killed process can be broken by many at once without breaking the guard of the next one.
 */
export interface TakeoverPorts {
  fs: StoreFs;
  processes: Processes;
  /** The clock that the file system's times are compared with, ms. */
  now(): number;
  /** A lock without a living owner on this host is stale after this time. */
  staleMs: number;
}

const identitySchema = z.object({ pid: z.number(), host: z.string(), startTime: z.nullable(z.string()) });
const ownerSchema = z.object({ ...identitySchema.shape, instance: z.string() });

/** What tells one lock directory from the next at the same path. */
export function lockInstance(stat: FileStat): string {
  return `${stat.ino}.${stat.birthtimeNs}`;
}

/** Says who holds the lock. */
export async function writeOwner(lock: string, instance: string, ports: TakeoverPorts): Promise<void> {
  const owner = { ...(await ports.processes.self()), instance };
  await ports.fs.overwrite(`${lock}.owner`, JSON.stringify(owner));
}

/** Removes the owner's file; while the lock is still held. */
export async function forgetOwner(lock: string, fs: StoreFs): Promise<void> {
  await ignoring(isMissing, fs.unlink(`${lock}.owner`));
}

/**
 * Removes the lock if its holder is dead, or if nobody refreshed it for `staleMs` and no living process of this host
 * holds it. Whoever comes first takes the lock then.
 */
export async function removeIfAbandoned(lock: string, ports: TakeoverPorts): Promise<void> {
  const instance = await abandonedInstance(lock, ports);
  if (instance === undefined) return;
  const guard = await enterGuard(`${lock}.takeover`, ports);
  if (!guard) return;
  try {
    if ((await abandonedInstance(lock, ports)) === instance) await ignoring(isMissing, ports.fs.removeDir(lock));
  } finally {
    await leaveGuard(guard, ports.fs);
  }
}

async function abandonedInstance(lock: string, ports: TakeoverPorts): Promise<string | undefined> {
  const stat = await ignoring(isMissing, ports.fs.stat(lock));
  if (!stat) return undefined;
  const instance = lockInstance(stat);
  const owner = await readOwner(lock, ports.fs);
  const state = owner?.instance === instance ? await ports.processes.state(owner) : "unknown";
  if (state === "dead") return instance;
  return isOld(stat, ports) ? instance : undefined;
}

function isOld(stat: FileStat, ports: TakeoverPorts): boolean {
  return Number(stat.mtimeNs / 1_000_000n) < ports.now() - ports.staleMs;
}

async function readOwner(lock: string, fs: StoreFs): Promise<z.infer<typeof ownerSchema> | undefined> {
  const read = await ignoring(isMissing, fs.read(`${lock}.owner`));
  return read && parseJson(ownerSchema, read.bytes);
}

interface Guard {
  dir: string;
  file: string;
}

async function enterGuard(dir: string, ports: TakeoverPorts): Promise<Guard | undefined> {
  const nonce = newUuid();
  const made = `${dir}.${nonce}`;
  const identity = await ports.processes.self();
  await ports.fs.makeDir(made);
  await ports.fs.writeNew(`${made}/${nonce}.json`, JSON.stringify(identity), false);
  try {
    await ports.fs.rename(made, dir);
    return { dir, file: `${dir}/${nonce}.json` };
  } catch {
    await ports.fs.removeTree(made); // taken (the code differs by platform), or the folder is gone
    await breakDeadGuard(dir, ports);
    return undefined;
  }
}

async function leaveGuard(guard: Guard, fs: StoreFs): Promise<void> {
  await ignoring(isMissing, fs.unlink(guard.file));
  await removeEmpty(guard.dir, fs);
}

async function breakDeadGuard(dir: string, ports: TakeoverPorts): Promise<void> {
  const names = (await ignoring(isMissing, ports.fs.list(dir))) ?? [];
  for (const name of names) {
    const file = `${dir}/${name}`;
    const read = await ignoring(isMissing, ports.fs.read(file));
    if (read && (await isDeadGuard(read.bytes, read.stat, ports))) await ignoring(isMissing, ports.fs.unlink(file));
  }
  await removeEmpty(dir, ports.fs);
}

async function isDeadGuard(bytes: Buffer, stat: FileStat, ports: TakeoverPorts): Promise<boolean> {
  const identity: ProcessIdentity | undefined = parseJson(identitySchema, bytes);
  const state = identity ? await ports.processes.state(identity) : "unknown";
  return state === "dead" || (state === "unknown" && isOld(stat, ports));
}

async function removeEmpty(dir: string, fs: StoreFs): Promise<void> {
  await ignoring((error) => isMissing(error) || isTaken(error), fs.removeDir(dir));
}

function parseJson<T>(schema: z.ZodType<T>, bytes: Buffer): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(bytes.toString("utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // half written: the same as not there
  }
}

async function ignoring<T>(expected: (error: unknown) => boolean, promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (expected(error)) return undefined;
    throw error;
  }
}
