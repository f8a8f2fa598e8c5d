import { dirname } from "node:path";
import { MusterError } from "../base/errors.ts";
import { newUuid } from "../protocol/ids.ts";
import type { Task } from "../protocol/task.ts";
import type { TaskGraph } from "../protocol/taskGraph.ts";
import type { TeamConfig } from "../protocol/team.ts";
import { writeFileAtomic } from "./atomicFile.ts";
import type { FileCache } from "./fileCache.ts";
import { withDir } from "./folders.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
import { changeLocked, encodeJson } from "./jsonFile.ts";
import type { HeldLock } from "./lock.ts";
import { isTaskId, lockOf, type TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import {
  applyFields,
  type ChangeContext,
  planClaim,
  planCreate,
  planRelease,
  planUpdate,
  type TaskActor,
  type TaskDraft,
  type TaskFields,
  type TaskPatch,
  unblockedBy,
  unknownTask,
} from "./taskChanges.ts";
import { readTasks, type TaskList, taskFile } from "./taskFiles.ts";
import { resolveMember } from "./teamFile.ts";
import { ensureTaskList } from "./teamFolder.ts";

/** What an update did. `task` is null after a deletion; `unblocked`: pending tasks that have become free by it. */
export interface TaskUpdate {
  task: Task | null;
  changed: string[];
  unblocked: Task[];
  previousOwner: string | null;
}

/** Who claims; `hasTool` answers for the claimer's type. */
export interface Claimer {
  by: string;
  incarnation?: string;
  hasTool(tool: string): boolean;
}

/** The tasks of teams. Owners are members, given by name, display name or `name@team`. */
export interface TaskStore {
  list(team: string): Promise<TaskGraph>;
  /** Throws `unknown_task`, or `corrupt` where its file is damaged beyond use. */
  get(team: string, id: string): Promise<Task>;
  /** Throws `unknown_task`, `cycle`, `unknown_member`. */
  create(team: string, draft: TaskDraft): Promise<Task>;
  /** Throws `unknown_task`, `unknown_member`, `cycle`, `blocked`, `already_claimed`, `already_resolved`, `agent_busy`, `not_allowed`. */
  update(team: string, id: string, patch: TaskPatch, actor: TaskActor): Promise<TaskUpdate>;
  /** Takes a task (or "next": the lowest free one) and starts it. Throws as `update`; `unknown_task` where none is free. */
  claim(team: string, id: string, claimer: Claimer): Promise<Task>;
  /** Gives back the unfinished tasks of a member that is gone; resolves to them. */
  releaseOwner(team: string, owner: string): Promise<Task[]>;
}

export interface TaskParts {
  context: StoreContext;
  cache: FileCache;
  readTeam(team: string): Promise<TeamConfig>;
}

/** The tasks of a store. */
export function createTaskStore(parts: TaskParts): TaskStore {
  const paths = (team: string) => parts.context.paths.team(team);
  return {
    async list(team) {
      await parts.readTeam(team);
      const read = () => readTasks(parts.context, parts.cache, paths(team));
      return (await withFileErrors(`The tasks of ${team} cannot be read`, paths(team).tasks, read)).graph;
    },
    async get(team, id) {
      await parts.readTeam(team);
      const read = () => readTasks(parts.context, parts.cache, paths(team));
      return requireUsable(await withFileErrors(`Task #${id} cannot be read`, paths(team).tasks, read), id);
    },
    create: (team, draft) => createTask(parts, team, draft),
    update: (team, id, patch, actor) => updateTask(parts, team, id, patch, actor),
    claim: (team, id, claimer) => claimTask(parts, team, id, claimer),
    releaseOwner: (team, owner) => releaseOwner(parts, team, owner),
  };
}

/** A claim without a sign of life of its owner counts for so long. */
const LEASE_MS = 10 * 60_000;
/** How often a change is made anew because a foreign writer, who takes no lock for updates, was in between. */
const ROUNDS = 5;

async function createTask(parts: TaskParts, team: string, draft: TaskDraft): Promise<Task> {
  const owner = await ownerOf(parts, team, draft.owner);
  return await inTaskList(parts, team, "The task was not created", async (paths, held) => {
    const list = await readTasks(parts.context, parts.cache, paths);
    const id = String(list.highest + 1);
    const { task, writes } = planCreate(id, owner === undefined ? draft : { ...draft, owner }, list.graph);
    const file = taskFile(paths, id);
    const text = encodeJson(task, file);
    await writeFileAtomic(parts.context.fs, file.path, text, { beforeRename: () => held.assertHeld(), durable: true });
    await writeTasks(parts, paths, held, writes, list);
    return task;
  });
}

async function updateTask(
  parts: TaskParts,
  team: string,
  id: string,
  patch: TaskPatch,
  actor: TaskActor,
): Promise<TaskUpdate> {
  const owner = patch.owner === "" ? "" : await ownerOf(parts, team, patch.owner);
  const wanted: TaskPatch = owner === undefined ? patch : { ...patch, owner };
  return await inTaskList(parts, team, `Task #${id.slice(0, 40)} was not changed`, async (paths, held) => {
    const [plan, before] = await attempt(parts, paths, held, (list) => {
      requireUsable(list, id);
      return planUpdate(id, wanted, actor, list.graph, changeContext(parts));
    });
    if (plan.deletes !== null) await deleteTask(parts, paths, held, plan.deletes, before);
    if (plan.deletes !== null) await writeTasks(parts, paths, held, plan.writes, before);
    const { graph: after } = await readTasks(parts.context, parts.cache, paths);
    const unblocked = unblockedBy(id, before.graph, after);
    return { task: after.tasks.get(id) ?? null, changed: plan.changed, unblocked, previousOwner: plan.previousOwner };
  });
}

async function claimTask(parts: TaskParts, team: string, id: string, claimer: Claimer): Promise<Task> {
  const by = resolveMember(team, await parts.readTeam(team), claimer.by).name;
  const actor: TaskActor = { ...claimer, by, isAgent: true };
  return await inTaskList(parts, team, `Task #${id.slice(0, 40)} was not claimed`, async (paths, held) => {
    const [plan] = await attempt(parts, paths, held, (list) => {
      if (id !== "next") requireUsable(list, id);
      const claim = planClaim(id, actor, claimer.hasTool, list.graph, changeContext(parts));
      return { ...claim.plan, id: claim.id };
    });
    const { graph } = await readTasks(parts.context, parts.cache, paths);
    const task = graph.tasks.get(plan.id);
    if (!task) throw unknownTask(plan.id);
    return task;
  });
}

async function releaseOwner(parts: TaskParts, team: string, owner: string): Promise<Task[]> {
  return await inTaskList(parts, team, `The tasks of ${owner} were not released`, async (paths, held) => {
    const [plan] = await attempt(parts, paths, held, (list) => ({
      writes: planRelease(owner, list.graph),
      deletes: null,
    }));
    const { graph } = await readTasks(parts.context, parts.cache, paths);
    return [...plan.writes.keys()].flatMap((id) => graph.tasks.get(id) ?? []);
  });
}

interface Plan {
  writes: Map<string, TaskFields>;
  deletes: string | null;
}

/** Plans on what is on disk and writes it; plans again where a file changed in between. Deletions are the caller's. */
async function attempt<P extends Plan>(
  parts: TaskParts,
  paths: TeamPaths,
  held: HeldLock,
  makePlan: (list: TaskList) => P,
): Promise<[P, TaskList]> {
  for (let round = 1; ; round += 1) {
    const list = await readTasks(parts.context, parts.cache, paths);
    const plan = makePlan(list);
    if (plan.deletes !== null || (await writeTasks(parts, paths, held, plan.writes, list))) return [plan, list];
    if (round === ROUNDS) throw new MusterError("lock_timeout", "Another program keeps changing this task. Try again.");
  }
}

/** Writes fields of tasks, each under its own lock; false where the first is not any more what the plan was made on. */
async function writeTasks(
  parts: TaskParts,
  paths: TeamPaths,
  held: HeldLock,
  writes: ReadonlyMap<string, TaskFields>,
  list: TaskList,
): Promise<boolean> {
  const ids = [...writes.keys()].sort((a, b) => Number(a) - Number(b));
  return await withTaskLocks(parts, paths, ids, async (locks) => {
    for (const id of ids) {
      if (!(await isUnchanged(parts, paths, id, locks, list))) return false;
    }
    for (const id of ids) await writeTask(parts, paths, id, writes.get(id) ?? {}, held, locks);
    return true;
  });
}

type TaskLocks = ReadonlyMap<string, HeldLock>;

/** Takes the locks of tasks in ascending order, after the lock of the list: one order for everybody. */
async function withTaskLocks<T>(
  parts: TaskParts,
  paths: TeamPaths,
  ids: readonly string[],
  job: (locks: TaskLocks) => Promise<T>,
  held: ReadonlyMap<string, HeldLock> = new Map(),
): Promise<T> {
  const [id, ...rest] = ids;
  if (id === undefined) return await job(held);
  return await parts.context.locks.run(taskFile(paths, id).lock, (lock) =>
    withTaskLocks(parts, paths, rest, job, new Map([...held, [id, lock]])),
  );
}

async function isUnchanged(
  parts: TaskParts,
  paths: TeamPaths,
  id: string,
  locks: TaskLocks,
  list: TaskList,
): Promise<boolean> {
  const planned = list.raws.get(id);
  return await changeLocked(parts.context, taskFile(paths, id), requireLock(locks, id), (content) => ({
    result: planned === undefined ? content === undefined : JSON.stringify(content?.raw) === JSON.stringify(planned),
  }));
}

async function writeTask(
  parts: TaskParts,
  paths: TeamPaths,
  id: string,
  fields: TaskFields,
  held: HeldLock,
  locks: TaskLocks,
): Promise<void> {
  const lock = requireLock(locks, id);
  await held.assertHeld();
  await changeLocked(
    parts.context,
    taskFile(paths, id),
    lock,
    (content) =>
      content
        ? { next: applyFields(content.raw as Record<string, unknown>, fields), result: undefined }
        : { result: undefined },
    { durable: true },
  );
}

function requireLock(locks: TaskLocks, id: string): HeldLock {
  const lock = locks.get(id);
  if (!lock) throw new Error(`The lock of task #${id} is not held.`);
  return lock;
}

/** The mark of the highest id first, then the last state, then the file: the id is never used again. */
async function deleteTask(
  parts: TaskParts,
  paths: TeamPaths,
  held: HeldLock,
  id: string,
  list: TaskList,
): Promise<void> {
  const { fs } = parts.context;
  const beforeRename = () => held.assertHeld();
  const mark = String(list.highest);
  await writeFileAtomic(fs, paths.highWaterMark, mark, { beforeRename, durable: true });
  const kept = paths.deletedTask(id);
  const text = encodeJson(list.raws.get(id), taskFile(paths, id));
  await withDir(fs, dirname(kept), paths.dir, () => writeFileAtomic(fs, kept, text, { beforeRename, durable: true }));
  await withTaskLocks(parts, paths, [id], async () => {
    try {
      await fs.unlink(paths.task(id));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
}

/** Runs a job under the lock of a team's task list. */
async function inTaskList<T>(
  parts: TaskParts,
  team: string,
  what: string,
  job: (paths: TeamPaths, held: HeldLock) => Promise<T>,
): Promise<T> {
  const paths = parts.context.paths.team(team);
  await parts.readTeam(team);
  return await withFileErrors(what, paths.tasks, async () => {
    const lock = lockOf(paths.tasksLockFile);
    const run = () => parts.context.locks.run(lock, (held) => job(paths, held));
    try {
      return await run();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await parts.readTeam(team); // gone, or a team without tasks yet
      await ensureTaskList(parts.context, team);
      return await run();
    }
  });
}

function requireUsable(list: TaskList, id: string): Task {
  const task = list.graph.tasks.get(id);
  if (task) return task;
  if (list.damaged.has(id)) throw new MusterError("corrupt", `The file of task #${id} is damaged.`);
  throw unknownTask(isTaskId(id) ? id : JSON.stringify(id.slice(0, 40)));
}

async function ownerOf(parts: TaskParts, team: string, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || named === "") return undefined;
  return resolveMember(team, await parts.readTeam(team), named).name;
}

function changeContext(parts: TaskParts): ChangeContext {
  return { now: parts.context.clock.now(), nonce: newUuid(), leaseMs: LEASE_MS };
}
