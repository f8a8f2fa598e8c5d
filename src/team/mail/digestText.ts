import type { Task } from "../../protocol/task.ts";
import { isInternalTask } from "../../protocol/task.ts";
import { byId, openBlockersText, type TaskGraph } from "../../protocol/taskGraph.ts";
import { idleWait, type TaskOverview, taskOverview } from "../views/idleWait.ts";
import type { Mail } from "./mailroom.ts";

/** Why the lead is told. */
export type DigestReason = "at_rest" | "all_completed" | "urgent";

const HEADLINE: Readonly<Record<DigestReason, string>> = {
  at_rest: "The team is at rest.",
  all_completed: "All tasks are completed.",
  urgent: "News of the team.",
};

/** Statuses of tasks by id, as the lead last knew them. */
export type KnownTasks = ReadonlyMap<string, string>;

/**
 * One text for the lead's model about everything since its last run: idle members in a line each, tasks that were
 * completed, tasks whose files are damaged, tasks that are open (and, at rest, that those in progress stand still). `called`: how a member is told of, by
 * its name: the person reads it too.
 */
export function digestText(
  reason: DigestReason,
  idle: readonly Mail[],
  graph: TaskGraph,
  known: KnownTasks,
  called: (name: string) => string = (name) => name,
): string {
  const tasks = [...graph.tasks.values()].filter((task) => !isInternalTask(task)).sort(byId);
  const completed = tasks.filter((task) => task.status === "completed" && known.get(task.id) !== "completed");
  const open = tasks.filter((task) => task.status !== "completed");
  return [
    HEADLINE[reason],
    ...idleLines(idle, taskOverview(graph), called),
    ...(completed.length > 0
      ? [`Completed since your last turn: ${completed.map((task) => title(task, called)).join("; ")}`]
      : []),
    ...(graph.damaged.size > 0 ? [`Damaged: ${[...graph.damaged].map((id) => `#${id}`).join(", ")}`] : []),
    ...(open.length > 0 ? ["Open:", ...open.map((task) => `- ${openLine(task, graph, reason, called)}`)] : []),
  ].join("\n");
}

/** What the lead knows of the tasks once it has been told. */
export function knownTasks(graph: TaskGraph): KnownTasks {
  return new Map([...graph.tasks.values()].map((task) => [task.id, task.status]));
}

/** One line for each member; while there are open tasks, with what it waits for. */
function idleLines(idle: readonly Mail[], tasks: TaskOverview, called: (name: string) => string): string[] {
  const latest = new Map<string, string>();
  for (const mail of idle) {
    if (mail.content.kind !== "idle_notification") continue;
    const { from, idleReason, failureReason, summary } = mail.content.body;
    const what =
      idleReason === "failed"
        ? `has failed: ${failureReason ?? "no reason given"}`
        : idleReason === "interrupted"
          ? "was interrupted"
          : `is idle${tasks.open > 0 ? `: ${idleWait(from, tasks)}` : ""}`;
    latest.delete(from);
    latest.set(from, `- ${called(from)} ${what}${summary ? `, after a message ${summary}` : ""}`);
  }
  return [...latest.values()];
}

function title(task: Task, called: (name: string) => string): string {
  return `#${task.id} ${task.subject}${task.owner ? ` (${called(task.owner)})` : ""}`;
}

function openLine(task: Task, graph: TaskGraph, reason: DigestReason, called: (name: string) => string): string {
  const blockers = openBlockersText(task.id, graph);
  const blocked = blockers === "" ? "" : `, blocked by ${blockers}`;
  const stale = reason === "at_rest" && task.status === "in_progress" ? ", but nobody works on it now" : "";
  return `#${task.id} [${task.status}] ${task.subject} (${task.owner ? called(task.owner) : "no owner"}${stale}${blocked})`;
}
