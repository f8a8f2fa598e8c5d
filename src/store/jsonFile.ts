import { dirname } from "node:path";
import { isAborted } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { errorCode, isMusterError, MusterError } from "../base/errors.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import { setAside } from "./corruptFiles.ts";
import { withDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import type { HeldLock } from "./lock.ts";
import { isOurTeam } from "./ourTeam.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import type { FileStat } from "./storeFs.ts";

/** One kind of shared JSON file at one path. */
export interface JsonFile<T> {
  path: string;
  /** The lock directory that guards its changes. */
  lock: string;
  /** The team that it belongs to, where a damaged copy is kept. */
  home: TeamPaths | null;
  /** How a person calls it: `the inbox of alice`. */
  what: string;
  /** The value, or undefined where `raw` is not such a file. */
  parse(raw: unknown): T | undefined;
  /** What can be kept of a damaged text as a new raw value; undefined where nothing can. */
  salvage(text: string): unknown;
  /** Where the last state that this program wrote is kept as well, and whether a raw value is to be kept there. */
  backup?: { path: string; wants(raw: unknown): boolean };
}

/** A file that was read. `raw` has every field that is on disk; changes are made to it, so that unknown ones survive. */
export interface JsonContent<T> {
  value: T;
  raw: unknown;
  stat: FileStat;
  bytes: Buffer;
}

export type JsonRead<T> =
  | { kind: "absent" }
  | ({ kind: "ok" } & JsonContent<T>)
  /** Nothing of it could be used; it was set aside if that was possible. */
  | { kind: "corrupt"; message: string };

/** What a change makes of the content: `next` is the new raw value, absent where nothing changes. */
export interface JsonChange<R> {
  next?: unknown;
  result: R;
}

/** A pure change of a file's content; undefined where the file is absent. */
export type Change<T, R> = (current: JsonContent<T> | undefined) => JsonChange<R> | Promise<JsonChange<R>>;

export interface UpdateOptions {
  durable?: boolean;
}

/**
 * Reads a file that foreign programs may write in place: what does not parse is tried again, then read under its lock,
 * then set aside and salvaged (invariant 3 of the shared files). A missing file is `absent`; a damaged one never is.
 * In a team of another program, of a file outside of any team, and by who only looks, nothing is written: no lock, no copy, no salvaged file.
 */
export async function readJson<T>(context: StoreContext, file: JsonFile<T>): Promise<JsonRead<T>> {
  const read = await readPatiently(context, file, outsideLock(context));
  if (read.kind !== "damaged") return read;
  if (!context.mends || file.home === null) return unmended(context, file, read, "stays as it is.");
  if (!(await isOurTeam(context, file.home))) return unmended(context, file, read, FOREIGN);
  try {
    return await context.locks.run(file.lock, (held) => readLocked(context, file, held));
  } catch (error) {
    if (isMissing(error)) return { kind: "absent" };
    if (isAborted(error) || isMusterError(error, "lock_timeout")) throw error;
    const unwritable = { ...read, stat: UNKNOWN_STAT }; // looked at anew each time, since it may be allowed later
    return unmended(context, file, unwritable, "cannot be repaired, as it may not be changed.");
  }
}

/**
 * Changes a file under its lock: read, validate, `change`, temporary file, check that the lock is still ours, rename.
 * `change` gets undefined where the file is absent, must be pure, and may run under no other lock of this file. Throws
 * `corrupt` where nothing of the file can be used, `lock_timeout`, and file errors as they are.
 */
export async function updateJson<T, R>(
  context: StoreContext,
  file: JsonFile<T>,
  change: Change<T, R>,
  options: UpdateOptions = {},
): Promise<R> {
  const done = await context.locks.run(file.lock, async (held) => {
    const read = await readOnce(context, file, false);
    if (read.kind === "damaged") return undefined; // its writer may be at it: that is waited for outside of the lock
    const content = read.kind === "ok" ? read : undefined;
    return { result: await applyChange(context, file, held, content, change, options) };
  });
  if (done) return done.result;
  await readPatiently(context, file, outsideLock(context));
  return await context.locks.run(file.lock, (held) => changeLocked(context, file, held, change, options));
}

/** The same inside a lock that the caller holds. */
export async function changeLocked<T, R>(
  context: StoreContext,
  file: JsonFile<T>,
  held: HeldLock,
  change: Change<T, R>,
  options: UpdateOptions = {},
): Promise<R> {
  const read = await readLocked(context, file, held);
  if (read.kind === "corrupt") throw new MusterError("corrupt", capitalised(read.message));
  return await applyChange(context, file, held, read.kind === "ok" ? read : undefined, change, options);
}

async function applyChange<T, R>(
  context: StoreContext,
  file: JsonFile<T>,
  held: HeldLock,
  content: JsonContent<T> | undefined,
  change: Change<T, R>,
  options: UpdateOptions,
): Promise<R> {
  const { next, result } = await change(content);
  if (next !== undefined) {
    await writeFileAtomic(context.fs, file.path, encodeJson(next, file), {
      beforeRename: () => held.assertHeld(),
      durable: options.durable === true,
    });
    await keepBackup(context, file, next);
  }
  return result;
}

/** Reads inside the file's lock; sets a damaged file aside and puts what could be salvaged in its place. */
export async function readLocked<T>(context: StoreContext, file: JsonFile<T>, held: HeldLock): Promise<JsonRead<T>> {
  const read = await readPatiently(context, file, insideLock(context));
  if (read.kind !== "damaged") return read;
  const kept = await setAside(context, file.home, file.path, read.bytes);
  const saved = (await readBackup(context, file)) ?? salvaged(file, read.bytes);
  if (!saved) {
    const message = `${file.what} is damaged and nothing of it could be saved; ${keptWhere(kept)} Mend ${file.path} by hand.`;
    context.tell({
      team: file.home?.folder ?? null,
      file: file.path,
      message: capitalised(message),
      ...(kept && { kept }),
    });
    return { kind: "corrupt", message };
  }
  await writeFileAtomic(context.fs, file.path, encodeJson(saved.raw, file), { beforeRename: () => held.assertHeld() });
  const isEmpty = Array.isArray(saved.raw) && saved.raw.length === 0;
  const what = isEmpty ? "nothing of it could be saved: it is empty now," : "what could be saved is in place,";
  const message = `${file.what} was damaged; ${what} ${keptWhere(kept)}`;
  context.tell({
    team: file.home?.folder ?? null,
    file: file.path,
    message: capitalised(message),
    ...(kept && { kept }),
  });
  const again = await context.fs.read(file.path);
  return { kind: "ok", ...saved, stat: again.stat, bytes: again.bytes };
}

/** JSON as the reference writes it: two blanks of indent, no newline at the end. */
export function encodeJson(value: unknown, file: { what: string }): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch (error) {
    // nested so deeply that it cannot be written
    throw new MusterError("corrupt", `${capitalised(file.what)} holds a value that cannot be written.`, {
      cause: error,
    });
  }
}

/** The file itself is written: a failure here must not say that it was not. */
async function keepBackup<T>(context: StoreContext, file: JsonFile<T>, raw: unknown): Promise<void> {
  if (!file.backup?.wants(raw)) return;
  const { path } = file.backup;
  try {
    const write = () => writeFileAtomic(context.fs, path, encodeJson(raw, file));
    await withDir(context.fs, dirname(path), file.home?.dir ?? null, write);
  } catch (error) {
    context.logger.warn(`No copy of ${file.what} could be kept.`, error);
  }
}

async function readBackup<T>(context: StoreContext, file: JsonFile<T>): Promise<Saved<T> | undefined> {
  if (!file.backup) return undefined;
  try {
    const raw = decodeJson((await context.fs.read(file.backup.path)).bytes);
    const value = raw === undefined ? undefined : file.parse(raw);
    return value === undefined ? undefined : { raw, value };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface Saved<T> {
  raw: unknown;
  value: T;
}

const FOREIGN = "stays as it is, since its team belongs to another program: end that one, then mend the file by hand.";

/** What can be used of a damaged file that stays as it is; `why` ends the sentence that tells of it. */
function unmended<T>(context: StoreContext, file: JsonFile<T>, { bytes, stat }: Damaged, why: string): JsonRead<T> {
  const saved = salvaged(file, bytes);
  const message = `${file.what} is damaged; ${file.path} ${why}`;
  context.tell({ team: file.home?.folder ?? null, file: file.path, message: capitalised(message) });
  return saved ? { kind: "ok", ...saved, stat, bytes } : { kind: "corrupt", message };
}

function salvaged<T>(file: JsonFile<T>, bytes: Buffer): Saved<T> | undefined {
  const raw = file.salvage(new TextDecoder("utf-8").decode(bytes));
  const value = raw === undefined ? undefined : file.parse(raw);
  return value === undefined ? undefined : { raw, value };
}

const UNKNOWN_STAT: FileStat = { kind: "file", size: -1, ino: -1n, mtimeNs: -1n, birthtimeNs: -1n };

/**
 * What does not parse counts as damaged only after nobody changed it for `quietMs`: on a busy machine a foreign writer may
 * be kept waiting for long between its two steps. Outside of the lock a file that parses may still be half old and half
 * new: one that changed just now is read twice.
 */
interface Reading {
  quietMs: number;
  twice: boolean;
}

function outsideLock({ patience }: StoreContext): Reading {
  return { quietMs: patience.unlockedMs, twice: true };
}

function insideLock({ patience }: StoreContext): Reading {
  return { quietMs: patience.lockedMs, twice: false };
}

/** A file that others write all the time and that never parses is given up after this time. */
const PATIENCE_MS = 8_000;
/**
 * Between two looks no more than this counts as quiet: where a machine slept or was too busy to look more often, its
 * writers could not go on either.
 */
const LONGEST_LOOK_MS = 50;
/** A file that changed so recently is read twice: the clock of many file systems ticks every 4 ms. */
const RECENT_MS = 30;

type Attempt<T> = { kind: "absent" } | ({ kind: "ok" } & JsonContent<T>) | ({ kind: "damaged" } & Damaged);

interface Damaged {
  bytes: Buffer;
  stat: FileStat;
}

async function readPatiently<T>(context: StoreContext, file: JsonFile<T>, reading: Reading): Promise<Attempt<T>> {
  const started = performance.now();
  let seen: { bytes: Buffer; at: number; quietMs: number } | undefined;
  for (let wait = 1; ; wait = Math.min(wait * 1.6, 12)) {
    const read = await readOnce(context, file, reading.twice);
    if (read.kind !== "damaged") return read;
    const at = performance.now();
    if (seen?.bytes.equals(read.bytes)) {
      const quietMs = seen.quietMs + Math.min(at - seen.at, LONGEST_LOOK_MS);
      if (quietMs >= reading.quietMs) return read;
      seen = { bytes: read.bytes, at, quietMs };
    } else {
      if (at - started > PATIENCE_MS) throw alwaysChanging(file);
      seen = { bytes: read.bytes, at, quietMs: 0 };
    }
    await systemClock.sleep(wait * (0.5 + Math.random()), context.signal);
  }
}

function alwaysChanging(file: { what: string; path: string }): MusterError {
  const sentence = `${file.what} could not be read: another program writes ${file.path} all the time. Try again.`;
  return new MusterError("lock_timeout", capitalised(sentence));
}

async function readOnce<T>(context: StoreContext, file: JsonFile<T>, twice: boolean): Promise<Attempt<T>> {
  let bytes: Buffer;
  let stat: FileStat;
  try {
    const read = await context.fs.read(file.path);
    ({ bytes, stat } = read);
    if (!read.steady || (twice && isRecent(stat))) {
      const second = await context.fs.read(file.path);
      const same = second.stat.ino === stat.ino ? second.bytes.equals(bytes) : second.steady;
      if (!same) return { kind: "damaged", bytes: second.bytes, stat: second.stat };
      ({ bytes, stat } = second);
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { kind: "absent" };
    throw error;
  }
  const raw = decodeJson(bytes);
  const value = raw === undefined ? undefined : file.parse(raw);
  return value === undefined ? { kind: "damaged", bytes, stat } : { kind: "ok", value, raw, stat, bytes };
}

function isRecent(stat: FileStat): boolean {
  return Math.abs(Date.now() - Number(stat.mtimeNs / 1_000_000n)) < RECENT_MS;
}

/** Undefined where the bytes are not JSON in UTF-8 (no JSON text means undefined). */
function decodeJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function keptWhere(kept: string | undefined): string {
  return kept === undefined ? "no copy could be kept." : `the damaged file is kept as ${kept}.`;
}

/** A sentence that begins with what a file is. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
