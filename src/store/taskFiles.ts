import { type Task, taskSchema } from "../protocol/task.ts";
import { type TaskGraph, taskGraph } from "../protocol/taskGraph.ts";
import type { FileCache } from "./fileCache.ts";
import { listDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import type { JsonFile, JsonRead } from "./jsonFile.ts";
import { isTaskId, lockOf, type TeamPaths } from "./paths.ts";
import { salvageJson } from "./salvageJson.ts";
import type { StoreContext, StoreFault } from "./storeContext.ts";

/** All tasks of a team as they are on disk. `raws` have the fields that only other writers know. */
export interface TaskList {
  graph: TaskGraph;
  raws: ReadonlyMap<string, Record<string, unknown>>;
  faults: StoreFault[];
  /** Ids that were deleted. */
  deleted: ReadonlySet<string>;
  /** Deleted ids whose file is there all the same: the deletion was cut short, or a late writer made it again. */
  revived: readonly string[];
  /** The largest id that was ever used, as far as the files tell. */
  highest: number;
}

/** One task's file. */
export function taskFile(paths: TeamPaths, id: string): JsonFile<Task> {
  return {
    path: paths.task(id),
    lock: lockOf(paths.task(id)),
    home: paths,
    what: `task #${id} of team ${paths.folder}`,
    parse: (raw) => {
      const parsed = taskSchema.safeParse(raw);
      return parsed.success && parsed.data.id === id ? parsed.data : undefined;
    },
    salvage: salvageJson,
  };
}

/**
 * Reads every task. Files of deleted ids (a late writer may have made them again) count as gone; a damaged one is one of
 * the graph's `damaged`, and a fault. `unchanged`: ids whose files need no look (`SnapshotStore.read`).
 */
export async function readTasks(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
  unchanged: (id: string) => boolean = () => false,
): Promise<TaskList> {
  const [names, deletedNames] = await Promise.all([
    listDir(context.fs, paths.tasks),
    listDir(context.fs, paths.deleted),
  ]);
  const deleted = new Set(deletedNames.flatMap(idOf));
  const ids = names.flatMap(idOf);
  const live = ids.filter((id) => !deleted.has(id));
  const list = { raws: new Map<string, Record<string, unknown>>(), faults: [] as StoreFault[] };
  const damaged = new Set<string>();
  const tasks: Task[] = [];
  const take = (id: string, read: JsonRead<Task>) => {
    if (read.kind === "ok") {
      tasks.push(read.value);
      list.raws.set(id, read.raw as Record<string, unknown>);
    } else if (read.kind === "corrupt") {
      damaged.add(id);
      list.faults.push({ team: paths.folder, file: paths.task(id), message: read.message });
    }
  };
  const looked = live.filter((id) => {
    const known = unchanged(id) ? cache.known(taskFile(paths, id)) : undefined;
    if (known) take(id, known);
    return !known;
  });
  await Promise.all(looked.map(async (id) => take(id, await cache.read(taskFile(paths, id)))));
  tasks.sort((a, b) => Number(a.id) - Number(b.id));
  const marks = await Promise.all([readNumber(context, paths.highWaterMark), readNumber(context, paths.counter)]);
  const highest = Math.max(0, ...marks, ...[...ids, ...deleted].map(Number));
  const revived = ids.filter((id) => deleted.has(id));
  return { graph: taskGraph(tasks, damaged), ...list, deleted, revived, highest };
}

/** A decimal number in a file; 0 where it is missing or is none. */
async function readNumber(context: StoreContext, path: string): Promise<number> {
  try {
    const text = (await context.fs.read(path)).bytes.toString("utf8").trim();
    return /^\d{1,15}$/.test(text) ? Number(text) : 0;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

function idOf(name: string): string[] {
  const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
  return isTaskId(id) ? [id] : [];
}
