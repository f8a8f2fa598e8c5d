import type { MemberRow, TaskRow } from "../../protocol/panel.ts";

/** Where a task stands, in the order in which the panel has these groups. */
const GROUPS = ["in_progress", "ready", "blocked", "done"] as const;
type TaskGroup = (typeof GROUPS)[number];

/** Tasks that stand alike, by number. */
export interface GroupedTasks {
  group: TaskGroup;
  tasks: TaskRow[];
}

/** Tasks by where they stand, as the tab *Tasks* has them; a group without tasks is left out. */
export function groupedTasks(tasks: readonly TaskRow[]): GroupedTasks[] {
  return GROUPS.map((group) => ({ group, tasks: tasks.filter((task) => groupOf(task) === group) })).filter(
    (one) => one.tasks.length > 0,
  );
}

/** The members that a task can be given to: not its owner, and nobody who has ended or is about to. */
export function possibleOwners(members: readonly MemberRow[], { owner }: Pick<TaskRow, "owner">): MemberRow[] {
  return members.filter(({ name, state }) => name !== owner?.name && state !== "dead" && state !== "stopping");
}

/** Whether a field of one line can hold all of a description. One that was cut short (`…` at its end) is not all of it. */
export function fitsOneLine(description: string): boolean {
  return !/[\n\r\t]/.test(description) && description.length <= MAX_IN_FIELD;
}

/** Characters, fewer than those at which descriptions of tasks are cut short. */
const MAX_IN_FIELD = 1_000;

function groupOf({ status, openBlockers }: TaskRow): TaskGroup {
  if (status === "in_progress") return "in_progress";
  if (status === "completed") return "done";
  return openBlockers.length > 0 ? "blocked" : "ready";
}
