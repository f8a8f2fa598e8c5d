import { type Entry, entrySchema, messageId } from "../protocol/message.ts";
import { restoreBody } from "./blobs.ts";
import type { FileCache } from "./fileCache.ts";
import { listDir } from "./folders.ts";
import { sortInbox } from "./inboxChanges.ts";
import { inboxFile } from "./inboxFile.ts";
import type { JsonFile, JsonRead } from "./jsonFile.ts";
import { readLines } from "./lines.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext, StoreFault } from "./storeContext.ts";

/** What was read of an inbox: whole entries in file order, and what could not be read, told once per host too. */
export interface InboxRead {
  entries: Entry[];
  faults: StoreFault[];
}

/** Names of the files in `inboxes/`, without `.json`. */
export async function listInboxes(context: StoreContext, paths: TeamPaths): Promise<string[]> {
  const names = await listDir(context.fs, paths.inboxes);
  return names
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/** Reads a member's inbox; a missing file is empty, a damaged one never is (it is salvaged, and a fault). */
export async function readInbox(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
  agent: string,
): Promise<InboxRead> {
  const file = inboxFile(paths, agent);
  const read = await cache.read(file);
  return await cache.derive(read, () => sortRead(context, paths, file, read));
}

async function sortRead(
  context: StoreContext,
  paths: TeamPaths,
  file: JsonFile<unknown[]>,
  read: JsonRead<unknown[]>,
): Promise<InboxRead> {
  if (read.kind === "absent") return { entries: [], faults: [] };
  if (read.kind === "corrupt") return { entries: [], faults: [fault(paths, file.path, read.message)] };
  const { entries, bad } = sortInbox(read.value);
  const faults = bad.map(() => fault(paths, file.path, `One message in ${file.what} is malformed and is left out.`));
  const whole = await restoreAll(context, paths, entries, file.path, faults);
  for (const found of faults) context.tell(found);
  return { entries: whole, faults };
}

/** Entries that were moved out of inboxes, by file name of the member: the newest of each, oldest first. */
export async function readArchives(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
): Promise<Map<string, readonly Entry[]>> {
  const names = (await listDir(context.fs, paths.archives)).filter((name) => name.endsWith(".jsonl"));
  const archives = await Promise.all(
    names.map(async (name): Promise<[string, readonly Entry[]]> => {
      const agent = name.slice(0, -".jsonl".length);
      const newest = async () => (await readArchive(context, paths, agent)).entries.slice(-NEWEST_ARCHIVED);
      return [agent, (await cache.remember(paths.archive(agent), newest)) ?? []];
    }),
  );
  return new Map(archives);
}

/** Entries of one archive that a snapshot holds. */
const NEWEST_ARCHIVED = 2_000;

/** Reads archive and inbox, oldest first, each entry once. */
export async function readWithArchive(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
  agent: string,
): Promise<InboxRead> {
  const archive = await readArchive(context, paths, agent);
  const current = await readInbox(context, cache, paths, agent);
  const entries = joinArchive(archive.entries, current.entries);
  return { entries, faults: [...archive.faults, ...current.faults] };
}

/** Archive and inbox as one list, oldest first; what a writer that was ended left in both is there once. */
export function joinArchive(archived: readonly Entry[], current: readonly Entry[]): Entry[] {
  const seen = new Set(current.map(messageId));
  const older = archived.filter((entry) => !seen.has(messageId(entry)) && seen.add(messageId(entry)));
  return [...older, ...current];
}

async function readArchive(context: StoreContext, paths: TeamPaths, agent: string): Promise<InboxRead> {
  const path = paths.archive(agent);
  const { values, bad } = await readLines(context.fs, path);
  const faults = bad.map(({ line }) => fault(paths, path, `Line ${line} of the archive of ${agent} is damaged.`));
  const archived = values.flatMap((value) => {
    const parsed = entrySchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return { entries: await restoreAll(context, paths, archived, path, faults), faults };
}

/** Whether the member's archive holds an entry of this id. */
export async function isArchived(context: StoreContext, paths: TeamPaths, agent: string, id: string): Promise<boolean> {
  const { values } = await readLines(context.fs, paths.archive(agent));
  return values.some((value) => {
    const parsed = entrySchema.safeParse(value);
    return parsed.success && messageId(parsed.data) === id;
  });
}

async function restoreAll(
  context: StoreContext,
  paths: TeamPaths,
  entries: readonly Entry[],
  file: string,
  faults: StoreFault[],
): Promise<Entry[]> {
  const whole: Entry[] = [];
  for (const entry of entries) {
    const restored = await restoreBody(context, paths, entry);
    if (!restored) faults.push(fault(paths, file, `The body of a message from ${entry.from} is missing.`));
    whole.push(restored ?? entry);
  }
  return whole;
}

function fault(paths: TeamPaths, file: string, message: string): StoreFault {
  return { team: paths.folder, file, message };
}
