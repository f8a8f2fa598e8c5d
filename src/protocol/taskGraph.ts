import { isInternalTask, type Task, type TaskView, taskMuster } from "./task.ts";

/**
 * Tasks and the edges between them. Both directions on disk count, as writers exist that keep only one; edges to tasks
 * that are gone are left out. A task whose file is damaged is not gone: nobody knows what it says, so it is no task here,
 * but it holds back who waits for it.
 */
export interface TaskGraph {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Ids of tasks whose files are there and cannot be used. */
  readonly damaged: ReadonlySet<string>;
  /** Id of a task → ids of its blockers, open, completed or damaged. */
  readonly blockers: ReadonlyMap<string, readonly string[]>;
  /** Id of a task → ids of the tasks that it blocks. */
  readonly blocked: ReadonlyMap<string, readonly string[]>;
}

/** Builds the graph; with two tasks of one id the first stays. `damaged`: as in the graph. */
export function taskGraph(all: Iterable<Task>, damaged: ReadonlySet<string> = new Set()): TaskGraph {
  const tasks = new Map<string, Task>();
  for (const task of all) if (!tasks.has(task.id)) tasks.set(task.id, task);
  const blockers = new Map<string, string[]>();
  const blocked = new Map<string, string[]>();
  const isThere = (id: string) => tasks.has(id) || damaged.has(id);
  const addEdge = (from: string, to: string) => {
    if (!isThere(from) || !isThere(to)) return;
    pushOnce(blockers, to, from);
    pushOnce(blocked, from, to);
  };
  for (const task of tasks.values()) {
    for (const id of task.blockedBy) addEdge(id, task.id);
    for (const id of task.blocks) addEdge(task.id, id);
  }
  return { tasks, damaged, blockers, blocked };
}

/** The graph of these tasks in the place of those of `graph`; what is damaged stays so. */
export function withTasks(graph: TaskGraph, tasks: Iterable<Task>): TaskGraph {
  return taskGraph(tasks, graph.damaged);
}

/** Orders ids by number. */
export function byId(a: { id: string }, b: { id: string }): number {
  return Number(a.id) - Number(b.id);
}

/** Blockers that are not completed, as far as anybody can tell: damaged ones count. */
export function openBlockers(id: string, graph: TaskGraph): string[] {
  return (graph.blockers.get(id) ?? []).filter((blocker) => graph.tasks.get(blocker)?.status !== "completed");
}

/** Open blockers for a reader: `#1, #2 (damaged)`; empty where there are none. */
export function openBlockersText(id: string, graph: TaskGraph): string {
  return openBlockers(id, graph)
    .map((blocker) => (graph.damaged.has(blocker) ? `#${blocker} (damaged)` : `#${blocker}`))
    .join(", ");
}

/** Whether at least one blocker is open. */
export function isBlocked(id: string, graph: TaskGraph): boolean {
  return openBlockers(id, graph).length > 0;
}

/** Whether an edge blocker → blocked would close a cycle (a self-edge included). */
export function wouldCycle(blocker: string, blocked: string, graph: TaskGraph): boolean {
  const seen = new Set<string>();
  const stack = [blocker];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (id === blocked) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    stack.push(...(graph.blockers.get(id) ?? []));
  }
  return false;
}

/**
 * The task that an idle member with these tools would claim: the lowest pending, unowned, unblocked one whose
 * `metadata.muster.needs` it has.
 */
export function nextClaimable(graph: TaskGraph, hasTool: (tool: string) => boolean): Task | undefined {
  return [...graph.tasks.values()]
    .sort(byId)
    .find((task) => isClaimable(task, graph) && (taskMuster(task).needs ?? []).every(hasTool));
}

/** Pending, unowned and unblocked. */
function isClaimable(task: Task, graph: TaskGraph): boolean {
  return task.status === "pending" && !task.owner && !isInternalTask(task) && !isBlocked(task.id, graph);
}

/** The task that this member has in progress, if any. Owners match exactly. */
export function inProgressOf(owner: string, graph: TaskGraph): Task | undefined {
  return [...graph.tasks.values()].sort(byId).find((task) => task.owner === owner && task.status === "in_progress");
}

/** The form of a task that every surface shows. */
export function taskView(task: Task, graph: TaskGraph): TaskView {
  return {
    id: task.id,
    subject: task.subject,
    description: task.description,
    activeForm: task.activeForm ?? null,
    status: task.status,
    owner: task.owner || null,
    blocks: [...(graph.blocked.get(task.id) ?? [])],
    blockedBy: [...(graph.blockers.get(task.id) ?? [])],
    openBlockers: openBlockers(task.id, graph),
    metadata: task.metadata ?? {},
  };
}

/** Every task that is shown, in order of ids. */
export function taskViews(graph: TaskGraph): TaskView[] {
  return [...graph.tasks.values()]
    .filter((task) => !isInternalTask(task))
    .sort(byId)
    .map((task) => taskView(task, graph));
}

function pushOnce(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (!list.includes(value)) list.push(value);
}
