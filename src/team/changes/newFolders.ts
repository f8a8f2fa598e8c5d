import nodePath from "node:path";
import { pathIn } from "../../base/pathIn.ts";
import type { ChangeRecord, FileStep } from "../../protocol/changes.ts";
import type { Store } from "../../store/store.ts";
import { foldersOf } from "./scanner.ts";

type Start = Extract<ChangeRecord, { kind: "start" }>;

/** A file system's clock may be that much behind the one that records are stamped by, in ms. */
const COARSE_MS = 20;

/**
 * After files that a member made are taken away (`gone`): removes the folders that this left empty, but only below the
 * team's folder, only those that were made since its first edit, and none of which a record tells that a file was there
 * before. `back`: files that come back, whose folders stay. A folder of which all that cannot be told stays.
 */
export async function removeNewFolders(
  store: Pick<Store, "workTree" | "pathFs">,
  records: readonly ChangeRecord[],
  { gone, back }: { gone: readonly FileStep[]; back: readonly FileStep[] },
): Promise<void> {
  const stay = new Set([...placesBefore(records), ...back.map(({ path }) => path)].flatMap(foldersOf));
  const starts = records.filter((record) => record.kind === "start");
  const since = new Map<string, number>();
  for (const folder of new Set(gone.flatMap(({ path }) => foldersOf(path)))) {
    const startMs = stay.has(folder) ? null : firstStart(starts, folder);
    if (startMs !== null) since.set(folder, startMs);
  }
  const innerFirst = [...since].sort(([one], [other]) => other.length - one.length);
  for (const [folder, startMs] of innerFirst) {
    if (await isLinked(store, folder)) continue;
    const madeMs = await store.workTree.folderMade(folder);
    if (madeMs !== null && madeMs >= startMs - COARSE_MS) await store.workTree.removeEmptyFolder(folder);
  }
}

/** Files that were there before the first change that a record tells of them. */
function placesBefore(records: readonly ChangeRecord[]): string[] {
  const first = new Map<string, FileStep>();
  for (const step of records.flatMap((record) => (record.kind === "change" ? record.files : [])))
    if (!first.has(step.path)) first.set(step.path, step);
  return [...first.values()].flatMap(({ path, before }) => (before === null ? [] : path));
}

/**
 * When the work below which a folder lies began, in ms; null: no record tells. A lead that a reload parted from its first
 * changes has begun anew with its team: the earliest counts.
 */
function firstStart(starts: readonly Start[], folder: string): number | null {
  const times = starts.flatMap(({ cwd, at }) => (pathIn(cwd, folder, nodePath) ? Date.parse(at) : []));
  return times.length === 0 ? null : Math.min(...times);
}

/** It is a link, lies behind one, or is not there. */
async function isLinked({ pathFs }: Pick<Store, "pathFs">, folder: string): Promise<boolean> {
  try {
    return (await pathFs.realpath(folder)) !== folder;
  } catch {
    return true;
  }
}
