import { basename, join } from "node:path";
import { ensureDir, listDir } from "./folders.ts";
import { isTaken } from "./fsErrors.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/** How many damaged copies of one file are kept. */
const KEPT = 5;

/**
 * Copies a damaged file's bytes to `muster/corrupt/{name}.{ms}` and removes the oldest copies beyond five; bytes that
 * are kept already are not copied again. Resolves to the copy's path, or undefined where no copy could be made: the
 * caller goes on, but must not hide it.
 */
export async function setAside(
  context: StoreContext,
  home: TeamPaths | null,
  path: string,
  bytes: Buffer,
): Promise<string | undefined> {
  if (home === null) return undefined;
  const name = basename(path);
  try {
    await ensureDir(context.fs, home.corrupt, home.dir);
    const copies = await copiesOf(context, home.corrupt, name);
    const newest = copies.at(-1);
    if (newest !== undefined && (await context.fs.read(newest)).bytes.equals(bytes)) return newest;
    const copy = await writeCopy(context, join(home.corrupt, name), bytes);
    for (const old of [...copies, copy].slice(0, -KEPT)) await context.fs.unlink(old);
    return copy;
  } catch (error) {
    context.logger.warn(`The damaged file ${path} could not be copied.`, error);
    return undefined;
  }
}

async function copiesOf(context: StoreContext, dir: string, name: string): Promise<string[]> {
  const names = await listDir(context.fs, dir);
  return names
    .filter((entry) => entry.startsWith(`${name}.`))
    .sort()
    .map((entry) => join(dir, entry));
}

async function writeCopy(context: StoreContext, prefix: string, bytes: Buffer): Promise<string> {
  for (let at = Date.now(); ; at += 1) {
    try {
      await context.fs.writeNew(`${prefix}.${at}`, bytes, false);
      return `${prefix}.${at}`;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}
