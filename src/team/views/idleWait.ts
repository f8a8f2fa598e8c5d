import { isInternalTask, type Task } from "../../protocol/task.ts";
import { byId, isBlocked, openBlockers, type TaskGraph } from "../../protocol/taskGraph.ts";

/** The tasks of a team that are shown, looked at once for all its members. */
export interface TaskOverview {
  readonly graph: TaskGraph;
  readonly total: number;
  readonly open: number;
  /** Owner → its open tasks, in order of ids. */
  readonly own: ReadonlyMap<string, readonly Task[]>;
  /** An open task that is free for everybody. */
  readonly free: boolean;
}

/** Looks at the tasks of a graph. */
export function taskOverview(graph: TaskGraph): TaskOverview {
  const tasks = [...graph.tasks.values()].filter((task) => !isInternalTask(task));
  const open = tasks.filter(({ status }) => status !== "completed").sort(byId);
  const own = new Map<string, Task[]>();
  for (const task of open) {
    if (!task.owner) continue;
    const known = own.get(task.owner);
    if (known) known.push(task);
    else own.set(task.owner, [task]);
  }
  const free = open.some((task) => task.status === "pending" && !task.owner && !isBlocked(task.id, graph));
  return { graph, total: tasks.length, open: open.length, own, free };
}

/** The task that a member has in progress, else the own one that waits for others: *#7 Title*, *#9 after #6, #7*. */
export function taskLine(name: string, { own, graph }: TaskOverview): string | null {
  const tasks = own.get(name) ?? [];
  const active = tasks.find(({ status }) => status === "in_progress");
  return active ? `#${active.id} ${active.subject}` : blockedLine(tasks, graph);
}

/** What a teammate that is idle waits for, to be read after *Idle* or *is idle*. */
export function idleWait(name: string, overview: TaskOverview): string {
  const tasks = overview.own.get(name) ?? [];
  const active = tasks.find(({ status }) => status === "in_progress");
  if (active) return `waits for a message, #${active.id} is open`;
  const blocked = blockedLine(tasks, overview.graph);
  if (blocked !== null) return blocked;
  const [next] = tasks;
  if (next) return `waits for a message, #${next.id} is open`;
  if (overview.open === 0) return "no open task";
  return overview.free ? "waits for a message" : "no task is ready for it";
}

/** What a teammate waits for that was interrupted: it takes nothing up by itself. */
export const INTERRUPTED_WAIT = "waits for a message";

function blockedLine(tasks: readonly Task[], graph: TaskGraph): string | null {
  for (const { id } of tasks) {
    const open = openBlockers(id, graph);
    if (open.length > 0) return `#${id} after ${open.map((one) => `#${one}`).join(", ")}`;
  }
  return null;
}
