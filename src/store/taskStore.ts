import { MusterError } from "../base/errors.ts";
import { newUuid } from "../protocol/ids.ts";
import { type Task, taskSchema } from "../protocol/task.ts";
import { type TaskGraph, withTasks } from "../protocol/taskGraph.ts";
import type { TeamConfig } from "../protocol/team.ts";
import type { FileCache } from "./fileCache.ts";
import { isMissing, withFileErrors } from "./fsErrors.ts";
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
} from "./taskChanges.ts";
import { readTasks, type TaskList } from "./taskFiles.ts";
import { readDeletedTasks } from "./taskRestore.ts";
import { createTaskWriter, type TaskWriter } from "./taskWriter.ts";
import { resolveMember } from "./teamFile.ts";
import { ensureTaskList } from "./teamFolder.ts";
import { damagedTask, unknownTask } from "./unknown.ts";

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
  /** Throws `unknown_task`, `cycle`, `unknown_member`, `corrupt` where a task that it names is damaged. */
  create(team: string, draft: TaskDraft): Promise<Task>;
  /**
   * Throws `unknown_task`, `unknown_member`, `cycle`, `blocked`, `already_claimed`, `already_resolved`, `agent_busy`,
   * `not_allowed`, `corrupt` where a task that it names is damaged.
   */
  update(team: string, id: string, patch: TaskPatch, actor: TaskActor): Promise<TaskUpdate>;
  /** Deleted tasks in their last state, by number, the newest 100. */
  deleted(team: string): Promise<Task[]>;
  /**
   * Brings a deleted task back as it was, but not in progress, and without an owner who has left. Throws `unknown_task`
   * where no such task was deleted.
   */
  restore(team: string, id: string): Promise<Task>;
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
export function createTaskStore(given: TaskParts): TaskStore {
  const parts: Parts = { ...given, known: new Set() };
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
    async deleted(team) {
      await parts.readTeam(team);
      const read = () => readDeletedTasks(parts.context, paths(team));
      return await withFileErrors(`The deleted tasks of ${team} cannot be read`, paths(team).deleted, read);
    },
    async restore(team, id) {
      const { members } = await parts.readTeam(team);
      const isMember = (name: string) => members.some((member) => member.name === name);
      const what = `Task #${id.slice(0, 40)} was not brought back`;
      return await inTaskList(parts, team, what, (writer) => writer.restore(id, isMember));
    },
    claim: (team, id, claimer) => claimTask(parts, team, id, claimer),
    releaseOwner: (team, owner) => releaseOwner(parts, team, owner),
  };
}

interface Parts extends TaskParts {
  /** Folders of teams whose tasks were read: of them only what changed is read again. */
  known: Set<string>;
}

/** A claim without a sign of life of its owner counts for so long. */
const LEASE_MS = 10 * 60_000;
/** How often a change is made anew because a foreign writer, who takes no lock for updates, was in between. */
const ROUNDS = 5;

async function createTask(parts: Parts, team: string, draft: TaskDraft): Promise<Task> {
  return await inTaskList(parts, team, "The task was not created", async (writer) => {
    const owner = await ownerOf(parts, team, draft.owner);
    const list = await writer.read();
    const id = String(list.highest + 1);
    const { task, writes } = planCreate(id, owner === undefined ? draft : { ...draft, owner }, list.graph);
    await writer.create(task);
    await writer.complete(writes);
    return task;
  });
}

async function updateTask(
  parts: Parts,
  team: string,
  id: string,
  patch: TaskPatch,
  actor: TaskActor,
): Promise<TaskUpdate> {
  return await inTaskList(parts, team, `Task #${id.slice(0, 40)} was not changed`, async (writer) => {
    const owner = patch.owner === "" ? "" : await ownerOf(parts, team, patch.owner);
    const wanted: TaskPatch = owner === undefined ? patch : { ...patch, owner };
    const [plan, before] = await commit(writer, (list) => {
      requireUsable(list, id);
      return { ...planUpdate(id, wanted, actor, list.graph, changeContext(parts)), id };
    });
    const after = graphAfter(before, plan);
    const unblocked = unblockedBy(id, before.graph, after);
    return { task: after.tasks.get(id) ?? null, changed: plan.changed, unblocked, previousOwner: plan.previousOwner };
  });
}

async function claimTask(parts: Parts, team: string, id: string, claimer: Claimer): Promise<Task> {
  return await inTaskList(parts, team, `Task #${id.slice(0, 40)} was not claimed`, async (writer) => {
    const by = resolveMember(team, await parts.readTeam(team), claimer.by).name;
    const actor: TaskActor = { ...claimer, by, isAgent: true };
    const [plan, before] = await commit(writer, (list) => {
      if (id !== "next") requireUsable(list, id);
      const claim = planClaim(id, actor, claimer.hasTool, list.graph, changeContext(parts));
      return { ...claim.plan, id: claim.id };
    });
    const task = graphAfter(before, plan).tasks.get(plan.id);
    if (!task) throw unknownTask(plan.id);
    return task;
  });
}

/** Each task by itself: where one fails, those before it are released, and the next call goes on. */
async function releaseOwner(parts: Parts, team: string, owner: string): Promise<Task[]> {
  return await inTaskList(parts, team, `The tasks of ${owner} were not released`, async (writer) => {
    const released: Task[] = [];
    for (const id of planRelease(owner, (await writer.read()).graph).keys()) {
      const [plan, before] = await commit(writer, (list) => {
        const fields = planRelease(owner, list.graph).get(id);
        return { id, writes: new Map(fields ? [[id, fields]] : []), deletes: null };
      });
      const task = graphAfter(before, plan).tasks.get(id);
      if (task && plan.writes.size > 0) released.push(task);
    }
    return released;
  });
}

interface Plan {
  /** The task that the change is about: with its file the change is made. */
  id: string;
  writes: ReadonlyMap<string, TaskFields>;
  deletes: string | null;
}

/** Plans on what is on disk and writes it; plans again where the file changed in between. */
async function commit<P extends Plan>(writer: TaskWriter, makePlan: (list: TaskList) => P): Promise<[P, TaskList]> {
  for (let round = 1; ; round += 1) {
    const list = await writer.read();
    const plan = makePlan(list);
    const others = new Map([...plan.writes].filter(([id]) => id !== plan.id));
    const made =
      plan.deletes === null
        ? await writer.change(plan.id, plan.writes.get(plan.id), list)
        : await writer.delete(plan.id, list);
    if (made) {
      await writer.complete(others);
      return [plan, list];
    }
    if (round === ROUNDS) throw new MusterError("lock_timeout", "Another program keeps changing this task. Try again.");
  }
}

/** The tasks as they are after a plan, without reading them again. */
function graphAfter({ raws, graph }: TaskList, { writes, deletes }: Plan): TaskGraph {
  const tasks = [...graph.tasks.values()].filter((task) => task.id !== deletes);
  return withTasks(
    graph,
    tasks.map((task) => {
      const fields = writes.get(task.id);
      return fields ? taskSchema.parse(applyFields(raws.get(task.id) ?? {}, fields)) : task;
    }),
  );
}

/** Runs a job under the lock of a team's task list. */
async function inTaskList<T>(
  parts: Parts,
  team: string,
  what: string,
  job: (writer: TaskWriter) => Promise<T>,
): Promise<T> {
  const paths = parts.context.paths.team(team);
  const { muster } = await parts.readTeam(team);
  return await withFileErrors(what, paths.tasks, async () => {
    await readAhead(parts, paths);
    let begun = false;
    const run = () =>
      parts.context.locks.run(lockOf(paths.tasksLockFile), async (held) => {
        begun = true;
        const writer = createTaskWriter(parts.context, parts.cache, paths, held);
        if (muster) await writer.tidy();
        return await job(writer);
      });
    try {
      return await run();
    } catch (error) {
      if (begun || !isMissing(error)) throw error;
      await parts.readTeam(team); // gone, or a team without tasks yet
      await ensureTaskList(parts.context, team);
      return await run();
    }
  });
}

/** The first reading of a list is made before its lock is taken, which is to be held for milliseconds. */
async function readAhead({ context, cache, known }: Parts, paths: TeamPaths): Promise<void> {
  if (known.has(paths.folder)) return;
  await readTasks(context, cache, paths);
  known.add(paths.folder);
}

function requireUsable(list: TaskList, id: string): Task {
  const task = list.graph.tasks.get(id);
  if (task) return task;
  if (list.graph.damaged.has(id)) throw damagedTask(id);
  throw unknownTask(isTaskId(id) ? id : JSON.stringify(id.slice(0, 40)));
}

/** To be asked under the list's lock: what a member that leaves owns is released after it has left. */
async function ownerOf(parts: Parts, team: string, named: string | undefined): Promise<string | undefined> {
  if (named === undefined || named === "") return undefined;
  return resolveMember(team, await parts.readTeam(team), named).name;
}

function changeContext(parts: Parts): ChangeContext {
  return { now: parts.context.clock.now(), nonce: newUuid(), leaseMs: LEASE_MS };
}
