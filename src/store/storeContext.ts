import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/logger.ts";
import type { Locks } from "./lock.ts";
import type { StatePaths } from "./paths.ts";
import type { Processes } from "./processIdentity.ts";
import type { StoreFs } from "./storeFs.ts";

/**
 * A file that could not be read as it is. `file` is absolute, `message` one sentence for a person, `kept` the copy that
 * was set aside.
 */
export interface StoreFault {
  team: string | null;
  file: string;
  message: string;
  kept?: string;
}

/** How long a file that does not parse must lie still before it counts as damaged, ms. */
export interface Patience {
  /** Before its lock is taken. */
  unlockedMs: number;
  /** Once more inside the lock, which holds up others. */
  lockedMs: number;
}

/** What every part of the store works with. */
export interface StoreContext {
  fs: StoreFs;
  paths: StatePaths;
  locks: Locks;
  clock: Clock;
  logger: Logger;
  processes: Processes;
  patience: Patience;
  /** Whether a damaged file of our own that is read may be set aside and repaired; who only looks writes nothing. */
  mends: boolean;
  /** Tells the host of a fault; the same fault is told once. */
  tell(fault: StoreFault): void;
  /** Aborts when the store is disposed. */
  signal: AbortSignal;
}
