import { MusterError } from "../base/errors.ts";
import { isObject, parseJson } from "../base/json.ts";
import { type Task, taskSchema } from "../protocol/task.ts";
import { byId, type TaskGraph, withTasks, wouldCycle } from "../protocol/taskGraph.ts";
import { listDir } from "./folders.ts";
import { isMissing } from "./fsErrors.ts";
import { isTaskId, type TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/** Deleted tasks that are told of, the newest numbers. */
const MOST_TOLD = 100;

/** A deleted task in its last state, with the fields that only other writers know. */
export interface DeletedTask {
  task: Task;
  raw: Record<string, unknown>;
}

/** The last state of a deleted task. Throws `unknown_task` where none is kept, `corrupt` where it cannot be used. */
export async function readDeletedTask(context: StoreContext, paths: TeamPaths, id: string): Promise<DeletedTask> {
  if (!isTaskId(id)) throw neverDeleted(id);
  try {
    const { bytes } = await context.fs.read(paths.deletedTask(id));
    const raw = parseJson(bytes.toString("utf8"));
    const parsed = taskSchema.safeParse(raw);
    if (isObject(raw) && parsed.success && parsed.data.id === id) return { task: parsed.data, raw };
  } catch (error) {
    if (isMissing(error)) throw neverDeleted(id);
    throw error;
  }
  throw new MusterError("corrupt", `Task #${id} cannot be brought back: what was kept of it is damaged.`);
}

/** The deleted tasks of a team by number, the newest 100; what is damaged is left out. */
export async function readDeletedTasks(context: StoreContext, paths: TeamPaths): Promise<Task[]> {
  const names = await listDir(context.fs, paths.deleted);
  const ids = names
    .flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : []))
    .filter(isTaskId);
  const newest = ids.sort((one, other) => Number(other) - Number(one)).slice(0, MOST_TOLD);
  const read = await Promise.all(
    newest.map((id) => readDeletedTask(context, paths, id).catch((error: unknown) => skipUnusable(error))),
  );
  return read.flatMap((one) => (one ? [one.task] : [])).sort(byId);
}

/**
 * The file of a task that comes back: with the edges that its neighbours still allow (they may have got others
 * meanwhile), without an owner who has left, and not in progress, as nobody works on it.
 */
export function restoredTask(
  { task, raw }: DeletedTask,
  graph: TaskGraph,
  isMember: (name: string) => boolean,
): Record<string, unknown> {
  const bare = { ...task, blocks: [] as string[], blockedBy: [] as string[] };
  const others = [...graph.tasks.values()];
  const grown = () => withTasks(graph, [...others, bare]);
  const isThere = (id: string) => graph.tasks.has(id) || graph.damaged.has(id);
  for (const id of task.blockedBy) if (isThere(id) && !wouldCycle(id, task.id, grown())) bare.blockedBy.push(id);
  for (const id of task.blocks) if (isThere(id) && !wouldCycle(task.id, id, grown())) bare.blocks.push(id);
  const { owner, ...rest } = raw;
  const status = task.status === "in_progress" ? "pending" : task.status;
  return {
    ...rest,
    ...(task.owner && isMember(task.owner) ? { owner } : {}),
    ...{ status, blocks: bare.blocks, blockedBy: bare.blockedBy },
    ...withoutClaim(raw["metadata"]),
  };
}

function withoutClaim(metadata: unknown): { metadata?: unknown } {
  if (!isObject(metadata) || !isObject(metadata["muster"])) return {};
  const { claim: _claim, ...own } = metadata["muster"];
  return { metadata: { ...metadata, muster: own } };
}

function neverDeleted(id: string): MusterError {
  return new MusterError("unknown_task", `There is no deleted task #${id.slice(0, 40)}: it may be back already.`);
}

function skipUnusable(error: unknown): null {
  if (error instanceof MusterError) return null;
  throw error;
}
