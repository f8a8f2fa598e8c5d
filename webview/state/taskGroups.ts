import type { TaskRow } from "../../src/protocol/panel.ts";

export type Group = "in_progress" | "ready" | "blocked" | "done";

/** The groups in the order in which they stand. */
export const GROUPS: readonly Group[] = ["in_progress", "ready", "blocked", "done"];

/** Which tasks are shown. `owner` null: everybody's; empty: those that nobody owns. */
export interface TaskFilter {
  text: string;
  owner: string | null;
}

/** Where a task stands: a pending one is ready once nothing holds it back. */
export function groupOf(task: TaskRow): Group {
  if (task.status === "in_progress") return "in_progress";
  if (task.status === "completed") return "done";
  return task.openBlockers.length > 0 ? "blocked" : "ready";
}

/**
 * Under what it is kept whether a group is open, and whether it is before the person says so. What a text finds is all to
 * be seen at first, and who closes a group of it has not closed the whole group.
 */
export function opening(group: Group, text: string): [key: string, byDefault: boolean] {
  const wanted = text.trim();
  return wanted === "" ? [`group:${group}`, group !== "done"] : [`group:${group}:${wanted}`, true];
}

/** Whether a task is shown: the text is looked for in its subject and its owner's name, or is its number (`#12`). */
export function fits(task: TaskRow, { text, owner }: TaskFilter): boolean {
  if (owner !== null && (task.owner?.name ?? "") !== owner) return false;
  const wanted = text.trim().toLowerCase();
  if (/^#\d+$/.test(wanted)) return wanted === `#${task.id}`;
  const name = task.owner?.displayName.toLowerCase() ?? "";
  return `#${task.id} ${task.subject}`.toLowerCase().includes(wanted) || name.includes(wanted);
}
