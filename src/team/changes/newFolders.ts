import { sep } from "node:path";
import type { ChangeRecord, FileStep } from "../../protocol/changes.ts";
import type { Store } from "../../store/store.ts";
import { foldersOf } from "./scanner.ts";

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
  const known = firstKnown(records);
  const before = [...known].flatMap(([path, { isNew }]) => (isNew ? [] : path));
  const stay = new Set([...before, ...back.map(({ path }) => path)].flatMap(foldersOf));
  const since = new Map<string, number>();
  for (const { path } of gone) {
    const start = known.get(path)?.start;
    if (!start) continue;
    const place = start.cwd.endsWith(sep) ? start.cwd : `${start.cwd}${sep}`;
    for (const folder of foldersOf(path))
      if (folder.startsWith(place) && !stay.has(folder)) since.set(folder, Date.parse(start.at));
  }
  const innerFirst = [...since].sort(([one], [other]) => other.length - one.length);
  for (const [folder, startMs] of innerFirst) {
    if (await isLinked(store, folder)) continue;
    const madeMs = await store.workTree.folderMade(folder);
    if (madeMs !== null && madeMs >= startMs - COARSE_MS) await store.workTree.removeEmptyFolder(folder);
  }
}

/** What the record first tells of a file: whether it was new then, and when the team's work had begun. */
interface FirstKnown {
  isNew: boolean;
  start: Extract<ChangeRecord, { kind: "start" }> | null;
}

function firstKnown(records: readonly ChangeRecord[]): Map<string, FirstKnown> {
  const known = new Map<string, FirstKnown>();
  let start: FirstKnown["start"] = null;
  for (const record of records) {
    if (record.kind === "start") start = record;
    if (record.kind !== "change") continue;
    for (const { path, before } of record.files)
      if (!known.has(path)) known.set(path, { isNew: before === null, start });
  }
  return known;
}

/** It is a link, lies behind one, or is not there. */
async function isLinked({ pathFs }: Pick<Store, "pathFs">, folder: string): Promise<boolean> {
  try {
    return (await pathFs.realpath(folder)) !== folder;
  } catch {
    return true;
  }
}
