import { basename, join } from "node:path";
import type { TeamConfig } from "../protocol/team.ts";
import type { FileCache } from "./fileCache.ts";
import { ensureDir, listDir } from "./folders.ts";
import { isMissing, isTaken } from "./fsErrors.ts";
import { readLocked } from "./jsonFile.ts";
import { lockOf, type TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import { configFile, requireNoTeammates } from "./teamFile.ts";
import { unknownTeam } from "./unknown.ts";

/** A team that was ended and kept. */
export interface FinishedTeam {
  /** The name of its folder under `muster/history`. */
  folder: string;
  /** The folder that the team had. */
  team: string;
  displayName: string;
  /** Milliseconds, to the second. */
  finishedAt: number;
}

/**
 * Ends a team: its folder moves to `muster/history` in one rename, so that it is gone for everybody at once, then its
 * tasks. Locks of its configuration and task list are held meanwhile; writers that wait for them find the folder gone.
 * Resolves to the name of the folder that keeps it, or null where nothing is kept. With `ifEmpty` a teammate that came
 * meanwhile is seen under the same lock: throws `not_ready`, and nothing was changed.
 */
export async function finishTeamFolder(
  context: StoreContext,
  team: string,
  options: { keepHistory: boolean; now: number; ifEmpty?: boolean },
): Promise<string | null> {
  const live = context.paths.team(team);
  const file = configFile(live);
  const kept = await context.locks.run(file.lock, async (held) => {
    const read = await readLocked(context, file, held);
    if (read.kind === "absent") throw unknownTeam(team);
    if (options.ifEmpty && read.kind === "ok") requireNoTeammates(read.value);
    await held.assertHeld();
    return await moveToHistory(context, live.dir, team, options.now);
  });
  await afterEnd(context, () => moveTasks(context, live, kept));
  await afterEnd(context, () => removeLocks(context, kept));
  if (options.keepHistory) return basename(kept);
  await afterEnd(context, () => context.fs.removeTree(kept));
  return null;
}

/** The team has ended: what cannot be tidied up now must not say that it has not. */
async function afterEnd(context: StoreContext, job: () => Promise<void>): Promise<void> {
  try {
    await job();
  } catch (error) {
    context.logger.warn("Something of an ended team could not be moved or removed.", error);
  }
}

/** Moves what an earlier team of this name left (a folder without configuration, or tasks) to `muster/history`. */
export async function setLeftoversAside(context: StoreContext, team: string, dir: string, now: number): Promise<void> {
  const names = await listDir(context.fs, dir);
  if (names.includes("config.json") || names.every((name) => name === ".lock")) return;
  const aside = await makeHistoryFolder(context, `${team}-leftover`, now);
  await context.fs.rename(dir, join(aside, basename(dir) === team ? "files" : basename(dir)));
}

/** Every team that was kept, the latest first. */
export async function listFinished(context: StoreContext, cache: FileCache): Promise<FinishedTeam[]> {
  const folders = await listDir(context.fs, context.paths.histories);
  const all = await Promise.all(folders.map((folder) => readFinished(context, cache, folder)));
  return all.flatMap((team) => team ?? []).sort((a, b) => b.finishedAt - a.finishedAt);
}

const FOLDER = /^(.+)-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)(?:\.\d+)?$/;

/** What the name of a history folder tells, or undefined where it is not one. */
export function parseHistoryFolder(folder: string): { team: string; finishedAt: number } | undefined {
  const match = FOLDER.exec(folder);
  if (!match?.[1]) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(2).map(Number);
  return { team: match[1], finishedAt: Date.UTC(year, month - 1, day, hour, minute, second) };
}

async function readFinished(
  context: StoreContext,
  cache: FileCache,
  folder: string,
): Promise<FinishedTeam | undefined> {
  const parsed = parseHistoryFolder(folder);
  if (!parsed) return undefined;
  const config = await readConfig(context, cache, folder);
  if (!config) return undefined;
  return { folder, displayName: config.muster?.displayName ?? config.name, ...parsed };
}

async function readConfig(context: StoreContext, cache: FileCache, folder: string): Promise<TeamConfig | undefined> {
  try {
    const read = await cache.read(configFile(context.paths.finished(folder)));
    return read.kind === "ok" ? read.value : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function moveToHistory(context: StoreContext, dir: string, team: string, now: number): Promise<string> {
  const target = await makeHistoryFolder(context, team, now);
  await context.fs.removeDir(target); // its name is ours; the rename wants it free on every platform
  await context.fs.rename(dir, target);
  return target;
}

/** Makes `{name}-{yyyymmdd-hhmmss}` (UTC); with `.2`, `.3`… where two end in one second. */
async function makeHistoryFolder(context: StoreContext, name: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  await ensureDir(context.fs, context.paths.histories, null);
  for (let n = 1; ; n += 1) {
    const folder = join(context.paths.histories, `${name}-${stamp}${n === 1 ? "" : `.${n}`}`);
    try {
      await context.fs.makeDir(folder);
      return folder;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

async function moveTasks(context: StoreContext, live: TeamPaths, kept: string): Promise<void> {
  try {
    await context.locks.run(lockOf(live.tasksLockFile), async () => {
      await context.fs.rename(live.tasks, join(kept, "tasks"));
    });
  } catch (error) {
    if (!isMissing(error)) throw error; // a team without tasks
  }
}

/** The locks that were held while their folders moved, with what lies beside them. */
async function removeLocks(context: StoreContext, kept: string): Promise<void> {
  for (const dir of [kept, join(kept, "tasks"), join(kept, "inboxes")]) {
    const names = await listDir(context.fs, dir);
    for (const name of names.filter((entry) => /\.lock(\.owner|\.takeover.*)?$/.test(entry) && entry !== ".lock")) {
      await context.fs.removeTree(join(dir, name));
    }
  }
}
