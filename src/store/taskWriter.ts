import { dirname } from "node:path";
import { errorCode } from "../base/errors.ts";
import { type Task, taskSchema } from "../protocol/task.ts";
import { type TaskGraph, withTasks } from "../protocol/taskGraph.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import type { FileCache } from "./fileCache.ts";
import { withDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import { changeLocked, encodeJson } from "./jsonFile.ts";
import type { HeldLock } from "./lock.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import { applyFields, type TaskFields } from "./taskChanges.ts";
import { readTasks, type TaskList, taskFile } from "./taskFiles.ts";
import { readDeletedTask, restoredTask } from "./taskRestore.ts";

/**
 * Writes tasks while the lock of their list is held. A change is made when the file of the task that it is about is
 * written (a deletion: when its last state is kept). What other files must say then, the other end of an edge, follows;
 * where that fails the edge counts all the same, as readers take either end, and the next writer completes it.
 */
export interface TaskWriter {
  read(): Promise<TaskList>;
  create(task: Task): Promise<void>;
  /** Sets fields of a task; false where it is not any more what `list` says: nothing is written then. */
  change(id: string, fields: TaskFields | undefined, list: TaskList): Promise<boolean>;
  /** False as for `change`. */
  delete(id: string, list: TaskList): Promise<boolean>;
  /** Brings a deleted task back. Throws `unknown_task` where none of this id was deleted, `corrupt` for a damaged one. */
  restore(id: string, isMember: (name: string) => boolean): Promise<Task>;
  /** Sets fields of other tasks that follow from a change; what cannot be written now is left for `tidy`. */
  complete(writes: ReadonlyMap<string, TaskFields>): Promise<void>;
  /**
   * Completes what a writer that was ended left half done: some tasks at a time, so that nobody waits long for the list
   * where another program wrote one end of many edges.
   */
  tidy(): Promise<void>;
}

/** A writer for the holder of the list's lock. */
export function createTaskWriter(
  context: StoreContext,
  cache: FileCache,
  paths: TeamPaths,
  held: HeldLock,
): TaskWriter {
  const writer: WriterParts = { context, paths, held };
  // what tidy has read is what the first change is planned on: the lock is held
  let tidied: TaskList | undefined;
  return {
    async read() {
      const list = tidied ?? (await readTasks(context, cache, paths));
      tidied = undefined;
      return list;
    },
    async create(task) {
      const file = taskFile(paths, task.id);
      const options = { beforeRename: () => held.assertHeld(), durable: true };
      await writeFileAtomic(context.fs, file.path, encodeJson(task, file), options);
    },
    change: (id, fields, list) => changeTask(writer, id, fields, list),
    delete: (id, list) => deleteTask(writer, id, list),
    async restore(id, isMember) {
      const { graph } = await readTasks(context, cache, paths);
      const raw = restoredTask(await readDeletedTask(context, paths, id), graph, isMember);
      await restoreTask(writer, id, raw);
      const task = taskSchema.parse(raw);
      await completeTasks(writer, missingEdges(withTasks(graph, [...graph.tasks.values(), task]), new Set()));
      return task;
    },
    complete: (writes) => completeTasks(writer, writes),
    async tidy() {
      const list = await readTasks(context, cache, paths);
      const edges = missingEdges(list.graph, list.deleted);
      for (const id of list.revived) await removeFile(writer, id);
      await completeTasks(writer, new Map([...edges].slice(0, MOST_TIDIED)));
      if (edges.size === 0) tidied = list;
    },
  };
}

/** Tasks that one change of the list completes: each takes a lock and a write, which readers do not need. */
const MOST_TIDIED = 20;

interface WriterParts {
  context: StoreContext;
  paths: TeamPaths;
  held: HeldLock;
}

async function changeTask(
  { context, paths, held }: WriterParts,
  id: string,
  fields: TaskFields | undefined,
  list: TaskList,
): Promise<boolean> {
  if (fields === undefined) return true;
  const planned = JSON.stringify(list.raws.get(id));
  const file = taskFile(paths, id);
  return await context.locks.run(file.lock, async (lock) => {
    await held.assertHeld();
    return await changeLocked(
      context,
      file,
      lock,
      (content) => {
        if (!content || JSON.stringify(content.raw) !== planned) return { result: false };
        return { next: applyFields(content.raw as Record<string, unknown>, fields), result: true };
      },
      { durable: true },
    );
  });
}

/** The mark of the highest id first, then the last state, then the file: the id is never used again. */
async function deleteTask(writer: WriterParts, id: string, list: TaskList): Promise<boolean> {
  const { context, paths, held } = writer;
  const options = { beforeRename: () => held.assertHeld(), durable: true };
  await writeFileAtomic(context.fs, paths.highWaterMark, String(list.highest), options);
  const kept = paths.deletedTask(id);
  const text = encodeJson(list.raws.get(id), taskFile(paths, id));
  await withDir(context.fs, dirname(kept), paths.dir, () => writeFileAtomic(context.fs, kept, text, options));
  await removeFile(writer, id);
  return true;
}

/** The task is back with one rename, which takes the mark of its deletion away. */
async function restoreTask({ context, paths, held }: WriterParts, id: string, raw: unknown): Promise<void> {
  const kept = paths.deletedTask(id);
  const text = encodeJson(raw, taskFile(paths, id));
  const options = { beforeRename: () => held.assertHeld(), durable: true };
  await context.locks.run(taskFile(paths, id).lock, async () => {
    await writeFileAtomic(context.fs, kept, text, options);
    try {
      await context.fs.rename(kept, paths.task(id));
    } catch (error) {
      if (errorCode(error) !== "EXDEV") throw error; // the two folders are on different disks
      await writeFileAtomic(context.fs, paths.task(id), text, options);
      await context.fs.unlink(kept);
    }
  });
}

/** The task is deleted already: where its file cannot be removed now, it is hidden, and the next writer removes it. */
async function removeFile({ context, paths }: WriterParts, id: string): Promise<void> {
  try {
    await context.locks.run(taskFile(paths, id).lock, () => context.fs.unlink(paths.task(id)));
  } catch (error) {
    if (!isMissing(error)) context.logger.warn(`The file of the deleted task #${id} could not be removed.`, error);
  }
}

async function completeTasks(
  { context, paths, held }: WriterParts,
  writes: ReadonlyMap<string, TaskFields>,
): Promise<void> {
  for (const [id, fields] of writes) {
    const file = taskFile(paths, id);
    try {
      await context.locks.run(file.lock, async (lock) => {
        await held.assertHeld();
        await changeLocked(context, file, lock, (content) => ({
          ...(content && { next: applyFields(content.raw as Record<string, unknown>, fields) }),
          result: undefined,
        }));
      });
    } catch (error) {
      context.logger.warn(
        `An edge of task #${id} could not be written; the next change of a task completes it.`,
        error,
      );
    }
  }
}

/** Ends of edges that only the other task has, and edges to tasks that were deleted. */
function missingEdges(graph: TaskGraph, deleted: ReadonlySet<string>): Map<string, TaskFields> {
  const writes = new Map<string, TaskFields>();
  for (const task of graph.tasks.values()) {
    const blocks = mended(task.blocks, graph.blocked.get(task.id) ?? [], deleted);
    const blockedBy = mended(task.blockedBy, graph.blockers.get(task.id) ?? [], deleted);
    if (blocks || blockedBy) writes.set(task.id, { ...(blocks && { blocks }), ...(blockedBy && { blockedBy }) });
  }
  return writes;
}

function mended(ids: readonly string[], known: readonly string[], deleted: ReadonlySet<string>): string[] | undefined {
  const missing = known.filter((id) => !ids.includes(id));
  const kept = ids.filter((id) => !deleted.has(id));
  return missing.length === 0 && kept.length === ids.length ? undefined : [...kept, ...missing];
}
