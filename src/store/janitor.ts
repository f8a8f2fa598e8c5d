import { join } from "node:path";
import { isTemporary } from "./atomicFile.ts";
import { listDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/** What nobody needs after so long, ms. */
export const LEFTOVER_MS = 60 * 60_000;
/** A spawn file holds a key, and is taken within 30 s or never. */
const SPAWN_FILE_MS = 2 * 60_000;

/**
 * Removes what killed processes left longer ago than `olderThanMs`: temporary files, guards, owner files of locks that are
 * free, half-built teams, spawn files that nobody took. Called when a team is opened to be led. Resolves to how many there
 * were; failures are left for the next time.
 */
export async function sweepLeftovers(context: StoreContext, olderThanMs: number): Promise<number> {
  const { paths } = context;
  const teams = (await listDir(context.fs, paths.teams)).filter((name) => !name.startsWith("."));
  const dirs = teams.flatMap((name) => {
    const { dir, inboxes, own, presences, lives, tasks } = paths.team(name);
    return [dir, inboxes, own, presences, lives, tasks, join(own, "outbox"), join(own, "blobs")];
  });
  const counts = await Promise.all([
    ...[paths.teams, paths.muster, ...dirs].map((dir) => sweepFolder(context, dir, olderThanMs, isLeftover)),
    ...teams.map((name) =>
      sweepFolder(context, paths.team(name).spawns, Math.min(olderThanMs, SPAWN_FILE_MS), () => true),
    ),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

async function sweepFolder(
  context: StoreContext,
  dir: string,
  olderThanMs: number,
  isOurs: (name: string, names: readonly string[]) => boolean,
): Promise<number> {
  const names = await listDir(context.fs, dir);
  let swept = 0;
  for (const name of names.filter((one) => isOurs(one, names))) {
    const path = join(dir, name);
    try {
      const { mtimeNs } = await context.fs.stat(path);
      if (Date.now() - Number(mtimeNs / 1_000_000n) < olderThanMs) continue;
      await context.fs.removeTree(path);
      swept += 1;
    } catch (error) {
      if (!isMissing(error)) context.logger.debug(`${path} could not be removed.`, error);
    }
  }
  return swept;
}

function isLeftover(name: string, names: readonly string[]): boolean {
  if (isTemporary(name) || /^\..*\.[0-9a-f]{8}\.tmp$/.test(name)) return true;
  if (/\.lock\.takeover(\.[0-9a-f-]{36})?$/.test(name)) return true;
  return name.endsWith(".lock.owner") && !names.includes(name.slice(0, -".owner".length));
}
