import { isInternalTask, type Task, type TaskView, taskMuster } from "./task.ts";

/**
 * Tasks and the edges between them. Both directions on disk count, as writers exist that keep only one; edges to tasks
 * that are gone are left out.
 */
export interface TaskGraph {
  readonly tasks: ReadonlyMap<string, Task>;
  /** Id of a task → ids of its blockers, open or completed. */
  readonly blockers: ReadonlyMap<string, readonly string[]>;
  /** Id of a task → ids of the tasks that it blocks. */
  readonly blocked: ReadonlyMap<string, readonly string[]>;
}

/** Builds the graph; with two tasks of one id the first stays. */
export function taskGraph(all: Iterable<Task>): TaskGraph {
  const tasks = new Map<string, Task>();
  for (const task of all) if (!tasks.has(task.id)) tasks.set(task.id, task);
  const blockers = new Map<string, string[]>();
  const blocked = new Map<string, string[]>();
  const addEdge = (from: string, to: string) => {
    if (!tasks.has(from) || !tasks.has(to)) return;
    pushOnce(blockers, to, from);
    pushOnce(blocked, from, to);
  };
  for (const task of tasks.values()) {
    for (const id of task.blockedBy) addEdge(id, task.id);
    for (const id of task.blocks) addEdge(task.id, id);
  }
  return { tasks, blockers, blocked };
}

/** Orders ids by number. */
export function byId(a: { id: string }, b: { id: string }): number {
  return Number(a.id) - Number(b.id);
}

/** Blockers that are not completed. */
export function openBlockers(id: string, graph: TaskGraph): string[] {
  return (graph.blockers.get(id) ?? []).filter((blocker) => graph.tasks.get(blocker)?.status !== "completed");
}

/** Whether at least one blocker is not completed. */
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
