import type { ActivityEvent } from "../../../protocol/activity.ts";
import { isInternalTask, taskMuster } from "../../../protocol/task.ts";
import type { TaskGraph } from "../../../protocol/taskGraph.ts";
import { type TranscriptRecord, textOf } from "../../../protocol/transcript.ts";
import { oneLine } from "../toolArgument.ts";
import type { ActivityFact } from "./facts.ts";

type TaskWhat = Extract<ActivityEvent, { task: string; subject: string }>["what"];

/** What the tasks' files tell: who holds a task since when, and who finished it when. Only ours tell it, where the time is known. */
export function taskFacts(graph: TaskGraph): ActivityFact[] {
  return [...graph.tasks.values()].flatMap((task) => {
    if (isInternalTask(task)) return [];
    const { claim, completedAt, completedBy } = taskMuster(task);
    const facts: ActivityFact[] = [];
    if (claim?.at) facts.push(taskFact("started", task, claim.at, claim.by));
    if (completedAt) facts.push(taskFact("finished", task, completedAt, completedBy ?? task.owner ?? null));
    return facts;
  });
}

/** One row about a task. */
export function taskFact(
  what: TaskWhat,
  { id, subject }: { id: string; subject: string },
  at: number,
  who: string | null,
): ActivityFact {
  return {
    ...{ id: `t:${id}:${what}:${at}`, at, kind: "task", who, to: [] },
    event: { what, task: id, subject: oneLine(subject, 120) },
  };
}

/** What a member's own calls tell of tasks, and that it came. `records`: all of its transcript. */
export function transcriptFacts(member: string, records: readonly TranscriptRecord[]): ActivityFact[] {
  const calls = new Map<string, { name: string; input: Record<string, unknown> }>();
  const facts: ActivityFact[] = [];
  for (const [index, record] of records.entries()) {
    const at = Date.parse(record.at) || 0;
    if (record.kind === "reply")
      for (const block of record.content) if (block.type === "tool_use") calls.set(block.id, block);
    if (record.kind === "run_end" && record.outcome === "failed")
      facts.push(stateFact(member, index, at, { what: "failed", reason: oneLine(record.reason ?? "", 300) || null }));
    if (record.kind !== "tool_result" || record.result.is_error) continue;
    const call = calls.get(record.result.tool_use_id);
    const fact = call && callFact(member, call, textOf(record.result.content), at);
    if (fact) facts.push(fact);
  }
  return facts;
}

/** One row about how a member is; `index` tells it from others of its transcript. */
function stateFact(member: string, index: number, at: number, event: ActivityEvent): ActivityFact {
  return { id: `s:${member}:${String(index).padStart(8, "0")}`, at, kind: "state", who: member, to: [], event };
}

function callFact(
  member: string,
  { name, input }: { name: string; input: Record<string, unknown> },
  result: string,
  at: number,
): ActivityFact | null {
  if (name === "TaskCreate") {
    const id = /^Task #(\d{1,15}) created/.exec(result)?.[1];
    return id === undefined ? null : taskFact("created", { id, subject: textIn(input["subject"]) }, at, member);
  }
  if (name !== "TaskUpdate") return null;
  const task = { id: textIn(input["taskId"]), subject: "" };
  if (input["status"] === "deleted") return taskFact("removed", task, at, member);
  if (input["status"] === "pending") return taskFact("reopened", task, at, member);
  return null;
}

/** What a model gave as a text; empty where it is none. */
function textIn(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
