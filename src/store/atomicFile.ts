import { dirname } from "node:path";
import { neverAborted } from "../base/abort.ts";
import { systemClock } from "../base/clock.ts";
import { errorCode } from "../base/errors.ts";
import { newUuid } from "../protocol/ids.ts";
import { isMissing } from "./fsErrors.ts";
import { hostMark } from "./processIdentity.ts";
import type { StoreFs } from "./storeFs.ts";

export interface AtomicWrite {
  /** Runs right before the new content becomes visible; where it throws, the old content stays. */
  beforeRename?: () => Promise<void>;
  /** The content is on the disk before it becomes visible, and its name after. */
  durable?: boolean;
}

/** Writes a file so that every reader sees either the old content or the new: temporary file beside it, then rename. */
export async function writeFileAtomic(
  fs: StoreFs,
  path: string,
  text: string,
  options: AtomicWrite = {},
): Promise<void> {
  const temporary = `${path}.${await ownMark()}.tmp`;
  try {
    await fs.writeNew(temporary, text, options.durable === true);
    await options.beforeRename?.();
    await renamePatiently(fs, temporary, path);
  } catch (error) {
    await removeQuietly(fs, temporary);
    throw error;
  }
  // the change is visible from here on: a failure must not say that it was not made
  if (options.durable) await fs.syncDir(dirname(path)).catch(() => {});
}

/**
 * Part of the name of what is to go with this process, `{pid}.{8 hex}`: its guard finds it by that. The first three digits
 * are its host's, for another one that shares the files may have a process of this number.
 */
export async function ownMark(): Promise<string> {
  return `${await ownMarkBegin()}${newUuid().slice(0, 5)}`;
}

/** With what every `ownMark` of this process begins. */
export async function ownMarkBegin(): Promise<string> {
  return `${process.pid}.${await hostMark()}`;
}

/** Whether a name is one of our temporary files. */
export function isTemporary(name: string): boolean {
  return /\.\d+\.[0-9a-f]{8}\.tmp$/.test(name);
}

/** Renames; waits for readers that hold the target open (on Windows that is `EPERM`, `EACCES` or `EBUSY`). */
async function renamePatiently(fs: StoreFs, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.rename(from, to);
      return;
    } catch (error) {
      if (attempt === RENAME_TRIES || !BUSY.has(errorCode(error) ?? "")) throw error;
      await systemClock.sleep(5 * attempt, neverAborted);
    }
  }
}

const RENAME_TRIES = 10;
const BUSY = new Set(["EPERM", "EACCES", "EBUSY"]);

async function removeQuietly(fs: StoreFs, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (!isMissing(error)) return; // the failure that led here is the one to report; a sweep removes the file later
  }
}
