import type { TaskCounts } from "../protocol/events.ts";
import { isInternalTask } from "../protocol/task.ts";
import { isBlocked, type TaskGraph, taskGraph } from "../protocol/taskGraph.ts";
import { addUsage, type Usage, ZERO_USAGE } from "../protocol/transcript.ts";
import { allMembers, type SessionContext } from "./context.ts";
import type { MemberBills } from "./limits/cost.ts";
import type { SessionSummary } from "./types.ts";
import { lastText } from "./views/finished.ts";

/** What a session came to, from the files and the members' figures. */
export async function sessionSummary(
  context: SessionContext,
  how: { interrupted: boolean; failure: string | null },
): Promise<SessionSummary> {
  const graph = context.team ? (await context.team.watch.refresh()).graph : taskGraph([]);
  const tasks = context.deleted?.tasks ?? countTasks(graph);
  const open = [...graph.tasks.values()].filter((task) => task.status !== "completed" && !isInternalTask(task));
  const failed = [...context.failures];
  const reasons = [
    ...(how.failure === null ? [] : [how.failure]),
    ...failed.map(([name, reason]) => `${name} failed: ${reason}`),
    ...(graph.damaged.size > 0 ? [`Damaged tasks: ${[...graph.damaged].map((id) => `#${id}`).join(", ")}.`] : []),
    ...(open.length > 0 ? [`Open tasks: ${open.map((task) => `#${task.id} ${task.subject}`).join(", ")}`] : []),
  ];
  return {
    result: resultOf(how.interrupted, how.failure !== null || failed.length > 0, open.length + graph.damaged.size),
    reason: reasons.length > 0 ? sentences(reasons) : null,
    text: lastText(context.lead.transcript),
    tasks,
    usage: totalUsage(context),
    history: context.deleted?.history ?? null,
  };
}

/** Texts behind each other, with a stop between two of them. */
function sentences(texts: readonly string[]): string {
  const last = texts.length - 1;
  return texts.map((text, index) => (index === last || /[.!?…]$/.test(text) ? text : `${text}.`)).join(" ");
}

/** Counts of tasks by status. */
export function countTasks(graph: TaskGraph): TaskCounts {
  const counts: TaskCounts = { pending: 0, in_progress: 0, completed: 0, blocked: 0 };
  for (const task of graph.tasks.values()) {
    if (isInternalTask(task)) continue;
    counts[task.status] += 1;
    if (task.status === "pending" && isBlocked(task.id, graph)) counts.blocked += 1;
  }
  return counts;
}

function resultOf(interrupted: boolean, failed: boolean, open: number): SessionSummary["result"] {
  if (interrupted) return "interrupted";
  if (failed) return "failed";
  return open > 0 ? "incomplete" : "completed";
}

/** What every member used, those that live first. */
export function spentBy(context: SessionContext): MemberBills[] {
  return [...allMembers(context).map(({ member }) => ({ name: member.name, bills: member.bills })), ...context.gone];
}

function totalUsage(context: SessionContext): Usage {
  return spentBy(context)
    .flatMap(({ bills }) => bills.map(({ usage }) => usage))
    .reduce(addUsage, ZERO_USAGE);
}
