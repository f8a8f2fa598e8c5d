import { lock as acquireLock } from "proper-lockfile";
import { neverAborted } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { errorCode, MusterError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { SerialQueue } from "../base/serial.ts";
import { isMissing } from "./fsErrors.ts";
import { forgetOwner, lockInstance, removeIfAbandoned, type TakeoverPorts, writeOwner } from "./lockOwner.ts";
import type { Processes } from "./processIdentity.ts";
import type { StoreFs } from "./storeFs.ts";

/** A lock that this process holds. */
export interface HeldLock {
  /** Throws `lock_timeout` if the lock is not ours any more; called right before a change becomes visible. */
  assertHeld(): Promise<void>;
}

/** Mutual exclusion between processes: lock directories where foreign writers take theirs. */
export interface Locks {
  /**
   * Runs `job` while holding `lock` (the path of the lock directory). Jobs of this process for one lock run in order of
   * asking. Throws `lock_timeout` when it cannot be had in time; file errors pass (`ENOENT`: the folder is gone).
   */
  run<T>(lock: string, job: (held: HeldLock) => Promise<T>): Promise<T>;
  /** Resolves once no job runs or waits. */
  settled(): Promise<void>;
}

export interface LockOptions {
  /** A lock is abandoned when nobody refreshed it for this time; every writer of these files uses 10 s. */
  staleMs?: number;
  /** How long to wait for a lock; more than `staleMs`, so that an abandoned one is always got. */
  timeoutMs?: number;
}

/** Makes the locks of a store. */
export function createLocks(fs: StoreFs, processes: Processes, logger: Logger, options: LockOptions = {}): Locks {
  const queue = new SerialQueue();
  const context: LockContext = {
    fs,
    logger,
    library: libraryFs(fs),
    timeoutMs: options.timeoutMs ?? 20_000,
    ports: { fs, processes, now: () => Date.now(), staleMs: options.staleMs ?? 10_000 },
  };
  return { run: (lock, job) => queue.run(lock, () => runLocked(lock, context, job)), settled: () => queue.idle() };
}

interface LockContext {
  fs: StoreFs;
  logger: Logger;
  library: object;
  timeoutMs: number;
  ports: TakeoverPorts;
}

interface Acquired extends HeldLock {
  release(): Promise<void>;
}

async function runLocked<T>(lock: string, context: LockContext, job: (held: HeldLock) => Promise<T>): Promise<T> {
  const acquired = await acquire(lock, context);
  try {
    return await job(acquired);
  } finally {
    await acquired.release();
  }
}

async function acquire(lock: string, context: LockContext): Promise<Acquired> {
  const started = Date.now();
  let seen: { instance: string; checkAt: number } | undefined;
  for (let attempt = 0; ; attempt += 1) {
    const instance = attempt === 0 ? undefined : await instanceAt(lock, context.fs);
    const acquired = instance === undefined ? await tryAcquire(lock, context) : undefined;
    if (acquired) return acquired;
    const now = Date.now();
    // a lock that goes from hand to hand is not abandoned: looking closer is for one that stays in the same hands
    if (instance !== undefined && instance !== seen?.instance) seen = { instance, checkAt: now + SUSPECT_MS };
    else if (seen && now >= seen.checkAt) {
      seen.checkAt = now + SUSPECT_MS;
      await removeIfAbandoned(lock, context.ports);
    }
    if (now - started > context.timeoutMs) throw heldByAnother(lock);
    await systemClock.sleep(backoff(attempt), neverAborted);
  }
}

/** Locks are held for a few milliseconds: one that is held for longer may have lost its holder. */
const SUSPECT_MS = 80;

async function tryAcquire(lock: string, context: LockContext): Promise<Acquired | undefined> {
  const taken = await takeDirectory(lock, context);
  if (!taken) return undefined;
  const { fs } = context;
  const instance = await instanceAt(lock, fs);
  const owned = sayOwner(lock, instance, context); // beside the job: the shorter a lock is held, the better
  const isOurs = async () => !taken.isLost() && instance !== undefined && (await instanceAt(lock, fs)) === instance;
  return {
    async assertHeld() {
      if (!(await isOurs())) throw lostLock(lock);
    },
    // what was done under the lock is done: a failure here must not say that it was not
    async release() {
      try {
        await owned;
        if (!(await isOurs())) return;
        await forgetOwner(lock, fs);
        await taken.release();
      } catch (error) {
        context.logger.warn(`The lock ${lock} could not be released; it frees itself in 10 s.`, error);
      }
    },
  };
}

interface TakenDirectory {
  isLost(): boolean;
  release(): Promise<void>;
}

async function takeDirectory(lock: string, context: LockContext): Promise<TakenDirectory | undefined> {
  let lost = false;
  try {
    const release = await acquireLock(lock, {
      lockfilePath: lock,
      realpath: false,
      retries: 0,
      stale: 1e12,
      update: 5000,
      fs: context.library,
      onCompromised: () => {
        lost = true;
      },
    });
    return { isLost: () => lost, release };
  } catch (error) {
    if (errorCode(error) === "ELOCKED") return undefined;
    throw error;
  }
}

/** Without the owner's file (full disk) the lock still holds; only its recovery takes longer. */
async function sayOwner(lock: string, instance: string | undefined, context: LockContext): Promise<void> {
  if (instance === undefined) return;
  try {
    await writeOwner(lock, instance, context.ports);
  } catch (error) {
    context.logger.warn(`The owner of the lock ${lock} could not be written.`, error);
  }
}

async function instanceAt(lock: string, fs: StoreFs): Promise<string | undefined> {
  try {
    return lockInstance(await fs.stat(lock));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Milliseconds to wait before the next try: 1–4 at first, up to 20–80, so that contenders do not march in step and many
 * of them leave the machine to the one that holds the lock.
 */
function backoff(attempt: number): number {
  const longest = Math.min(4 + 2 * attempt, 80);
  return longest / 4 + Math.random() * longest * 0.75;
}

function heldByAnother(lock: string): MusterError {
  return new MusterError(
    "lock_timeout",
    `${lock} is held by another program. Try again, or remove it if none is running.`,
  );
}

function lostLock(lock: string): MusterError {
  return new MusterError("lock_timeout", `${lock} was taken by another program while this one was stopped. Try again.`);
}

type Callback = (error: unknown, value?: unknown) => void;

/** The store's port in the shape that proper-lockfile calls. */
function libraryFs(fs: StoreFs): object {
  const settle = (promise: Promise<unknown>, done: Callback) => promise.then((value) => done(null, value), done);
  return {
    mkdir: (path: string, done: Callback) => settle(fs.makeDir(path), done),
    rmdir: (path: string, done: Callback) => settle(fs.removeDir(path), done),
    utimes: (path: string, _accessed: Date, modified: Date, done: Callback) => settle(fs.touch(path, modified), done),
    // the library compares whole milliseconds with what it set
    stat: (path: string, done: Callback) =>
      settle(
        fs.stat(path).then((stat) => ({ mtime: new Date(Math.round(Number(stat.mtimeNs) / 1e6)) })),
        done,
      ),
  };
}
