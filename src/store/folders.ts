import { dirname } from "node:path";
import { errorCode } from "../base/errors.ts";
import { isTaken } from "./fsErrors.ts";
import type { StoreFs } from "./storeFs.ts";

/**
 * Makes `dir` and its missing parents. `top` is never made: where it is gone (a team that was deleted meanwhile) this
 * rejects with `ENOENT`; null stands for the root of the file system. Below a `top`, a link in place of `dir` is refused
 * (`ELOOP`). Rejects with `ENOTDIR` where nothing can be made there: below a link that leads nowhere, or in /proc.
 */
export async function ensureDir(fs: StoreFs, dir: string, top: string | null): Promise<void> {
  if (dir === top) {
    await fs.stat(dir);
    return;
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fs.makeDir(dir);
      return;
    } catch (error) {
      if (isTaken(error)) return top === null ? undefined : await refuseLink(fs, dir);
      if (errorCode(error) !== "ENOENT" || dirname(dir) === dir) throw error;
      if (attempt === ATTEMPTS) throw top === null ? noPlace(dir) : error;
    }
    await ensureDir(fs, dirname(dir), top);
  }
}

/** A parent that is there may be removed again by somebody in between: twice is no accident. */
const ATTEMPTS = 3;

function noPlace(dir: string): Error {
  return Object.assign(new Error(`No folder can be made at ${dir}.`), { code: "ENOTDIR" });
}

/** Runs `job`; where it rejects with `ENOENT`, makes the folder and runs it once more. */
export async function withDir<T>(fs: StoreFs, dir: string, top: string | null, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await ensureDir(fs, dir, top);
    return await job();
  }
}

/** The names in a folder; none where it is missing. */
export async function listDir(fs: StoreFs, dir: string): Promise<string[]> {
  try {
    return await fs.list(dir);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function refuseLink(fs: StoreFs, dir: string): Promise<void> {
  const { kind } = await fs.stat(dir);
  if (kind === "directory") return;
  throw Object.assign(new Error(`${dir} is not a folder.`), { code: kind === "link" ? "ELOOP" : "ENOTDIR" });
}
