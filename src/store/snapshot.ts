import { MusterError } from "../base/errors.ts";
import type { Entry } from "../protocol/message.ts";
import { inboxFileName } from "../protocol/names.ts";
import type { TaskGraph } from "../protocol/taskGraph.ts";
import type { Generation, Presence, TeamConfig } from "../protocol/team.ts";
import type { FileCache } from "./fileCache.ts";
import { withFileErrors } from "./fsErrors.ts";
import { type InboxRead, listInboxes, readArchives, readInbox } from "./inboxReader.ts";
import { type LeadLease, readLease } from "./leadStore.ts";
import type { TeamPaths } from "./paths.ts";
import { readPresences } from "./presenceStore.ts";
import type { StoreContext, StoreFault } from "./storeContext.ts";
import { readTasks } from "./taskFiles.ts";
import { configFile, teamGeneration } from "./teamFile.ts";
import { parseHistoryFolder } from "./teamHistory.ts";
import { unknownTeam } from "./unknown.ts";

/** All that the files of a team say at one moment. Parts whose files did not change are the same objects as before. */
export interface TeamSnapshot {
  /** The team's folder; of a finished team its folder under `muster/history`. */
  team: string;
  config: TeamConfig;
  generation: Generation;
  graph: TaskGraph;
  /** By member name; inboxes of members that are gone by file name. */
  inboxes: ReadonlyMap<string, InboxRead>;
  /** What was moved out of inboxes that had grown too large, by the same names: the newest, oldest first. */
  archives: ReadonlyMap<string, readonly Entry[]>;
  /** By file name of the member. */
  presence: ReadonlyMap<string, Presence>;
  lead: LeadLease | null;
  /** When a finished team ended (ms), else null. */
  finishedAt: number | null;
  /** Files that could not be read as they are. */
  faults: StoreFault[];
}

/** What is known of a team without its configuration. Inboxes go by file name. */
export type TeamRest = Pick<TeamSnapshot, "graph" | "inboxes" | "lead">;

export interface SnapshotStore {
  /**
   * Throws `unknown_team`, `corrupt`, and file failures. `unchanged`: ids of tasks that are taken as they were read last,
   * without a look at their files, but where a change may hide behind the same date; none by default.
   */
  read(team: string, unchanged?: (task: string) => boolean): Promise<TeamSnapshot>;
  /** Of a team whose configuration cannot be used: what its other files say. Throws file failures. */
  readRest(team: string): Promise<TeamRest>;
  /** Of a finished team: its folder under `muster/history`, or the path of that. */
  readFinished(folder: string): Promise<TeamSnapshot>;
}

/** Snapshots of teams; only files that changed are read again. */
export function createSnapshotStore(context: StoreContext, cache: FileCache): SnapshotStore {
  return {
    read: (team, unchanged) => readSnapshot({ context, cache }, context.paths.team(team), null, unchanged),
    readRest: (team) => readRest(context, cache, context.paths.team(team)),
    async readFinished(folder) {
      const paths = context.paths.finished(folder);
      return await readSnapshot({ context, cache }, paths, parseHistoryFolder(paths.folder)?.finishedAt ?? 0);
    },
  };
}

async function readSnapshot(
  { context, cache }: { context: StoreContext; cache: FileCache },
  paths: TeamPaths,
  finishedAt: number | null,
  unchanged?: (task: string) => boolean,
): Promise<TeamSnapshot> {
  return await withFileErrors(`Team ${paths.folder} cannot be read`, paths.dir, async () => {
    const read = await cache.read(configFile(paths));
    if (read.kind === "absent") throw unknownTeam(paths.folder);
    if (read.kind === "corrupt")
      throw new MusterError("corrupt", `Team ${paths.folder} cannot be used: ${read.message}`);
    const config = read.value;
    const [tasks, inboxes, archives, presence, lead] = await Promise.all([
      readTasks(context, cache, paths, unchanged),
      readInboxes(context, cache, paths, namesByFile(config)),
      readArchives(context, cache, paths),
      readPresences(context, cache, paths),
      readLease(context, paths),
    ]);
    const members = namesByFile(config);
    const faults = [...tasks.faults, ...[...inboxes.values()].flatMap((inbox) => inbox.faults)];
    const generation = teamGeneration(config, inboxes.values());
    return {
      team: paths.folder,
      ...{ config, generation, graph: tasks.graph, inboxes, presence, lead, finishedAt, faults },
      archives: new Map([...archives].map(([file, entries]) => [members.get(file) ?? file, entries])),
    };
  });
}

async function readRest(context: StoreContext, cache: FileCache, paths: TeamPaths): Promise<TeamRest> {
  return await withFileErrors(`Team ${paths.folder} cannot be read`, paths.dir, async () => {
    const [{ graph }, inboxes, lead] = await Promise.all([
      readTasks(context, cache, paths),
      readInboxes(context, cache, paths, new Map()),
      readLease(context, paths),
    ]);
    return { graph, inboxes, lead };
  });
}

async function readInboxes(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
  members: ReadonlyMap<string, string>,
): Promise<Map<string, InboxRead>> {
  const files = await listInboxes(context, paths);
  const reads = await Promise.all(
    files.map(async (file): Promise<[string, InboxRead]> => {
      const agent = members.get(file) ?? file;
      return [agent, await readInbox(context, cache, paths, agent)];
    }),
  );
  return new Map(reads);
}

/** Member names by file name; files of members that are gone have none. */
function namesByFile(config: TeamConfig): Map<string, string> {
  return new Map(config.members.map((member) => [inboxFileName(member.name), member.name]));
}
