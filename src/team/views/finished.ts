import nodePath from "node:path";
import { nameIn, pathIn } from "../../base/pathIn.ts";
import type { ChangeRecord } from "../../protocol/changes.ts";
import type { RunResult } from "../../protocol/events.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { FinishedSummary } from "../../protocol/panel.ts";
import { isInternalTask, type Task, taskMuster } from "../../protocol/task.ts";
import type { TaskGraph } from "../../protocol/taskGraph.ts";
import { failedCalls, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { changedFiles, fileHistories } from "../changes/fileHistory.ts";
import { type Bill, billsOf, costOf, tokensOf } from "../limits/cost.ts";
import type { ModelCatalog } from "../limits/models.ts";
import type { People } from "./people.ts";

/** What a team that ended left behind. */
export interface FinishedFacts {
  graph: TaskGraph;
  /** Member → its records. */
  transcripts: ReadonlyMap<string, readonly TranscriptRecord[]>;
  people: People;
  /** What the members changed, as it was recorded; nothing where that was not kept: then their calls tell. */
  changes: readonly ChangeRecord[];
  /** Requests that were decided. */
  decisions: number;
  /** Paths of files are told from here; null: as they are. */
  cwd: string | null;
  /** Folder of plans, whose files are no result. */
  plans: string;
  /** What tokens cost; null: they cost nothing. */
  models: ModelCatalog | null;
  /** How the session ended; null where nobody knows it any more: then the tasks tell. */
  result: RunResult | null;
}

/** What a finished team leaves to read. */
export function finishedSummary(facts: FinishedFacts): FinishedSummary {
  const tasks = [...facts.graph.tasks.values()].filter((task) => !isInternalTask(task));
  const completed = tasks.filter((task) => task.status === "completed");
  const isComplete = completed.length === tasks.length && facts.graph.damaged.size === 0;
  const byMember = [...facts.transcripts].map(([name, records]) => ({
    member: facts.people(name),
    tasks: completed.filter((task) => doneBy(task) === name).length,
    ...paidFor(billsOf(records), facts.models),
  }));
  return {
    result: facts.result ?? (isComplete ? "completed" : "incomplete"),
    text: lastText(facts.transcripts.get(LEAD_NAME) ?? []),
    tasks: { completed: completed.length, total: tasks.length },
    durationMs: durationOf([...facts.transcripts.values()].flat()),
    tokens: byMember.reduce((sum, { tokens }) => sum + tokens, 0),
    decisions: facts.decisions,
    byMember: byMember.sort((one, other) => Number(other.member.role === "lead") - Number(one.member.role === "lead")),
    files: filesOf(facts),
  };
}

/** Files that are another than they were, or were changed by calls, told from `cwd` where they lie in it. */
function filesOf({ changes, transcripts, cwd, plans }: FinishedFacts): string[] {
  const paths = changes.some(({ kind }) => kind === "change")
    ? changedFiles(fileHistories(changes), null).map(({ path }) => path)
    : editedFiles([...transcripts.values()].flat(), plans);
  return [...new Set(paths.map((path) => nameIn(cwd, path, nodePath)))];
}

/** Files that calls of Edit and Write changed, in order of their first change. */
function editedFiles(records: readonly TranscriptRecord[], plans: string): string[] {
  const failed = failedCalls(records);
  const done = new Set(records.flatMap((record) => (record.kind === "tool_result" ? [record.result.tool_use_id] : [])));
  return [...records]
    .sort((one, other) => one.at.localeCompare(other.at))
    .flatMap((record) => (record.kind === "reply" ? record.content : []))
    .flatMap((block) => {
      if (block.type !== "tool_use" || (block.name !== "Edit" && block.name !== "Write")) return [];
      const path = block.input["file_path"];
      if (typeof path !== "string" || !done.has(block.id) || failed.has(block.id) || isIn(plans, path)) return [];
      return [path];
    });
}

/** The last text that a member wrote; empty where it wrote none. */
export function lastText(records: readonly TranscriptRecord[]): string {
  const texts = records.flatMap((record) => (record.kind === "reply" ? [textOf(record.content).trim()] : []));
  return texts.findLast((text) => text !== "") ?? "";
}

function doneBy(task: Task): string | undefined {
  return taskMuster(task).completedBy ?? task.owner;
}

function paidFor(bills: readonly Bill[], models: ModelCatalog | null): { tokens: number; cost?: number } {
  const cost = models === null ? null : costOf(bills, models);
  return { tokens: tokensOf(bills), ...(cost === null ? {} : { cost }) };
}

function durationOf(records: readonly TranscriptRecord[]): number {
  const times = records.map((record) => Date.parse(record.at)).filter((time) => !Number.isNaN(time));
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  const last = times.reduce((most, time) => Math.max(most, time), first);
  return times.length === 0 ? 0 : last - first;
}

/** Whether a path, which may be relative as a call named it, is known to lie in a folder. */
function isIn(folder: string, path: string): boolean {
  return nodePath.isAbsolute(path) && Boolean(pathIn(folder, path, nodePath));
}
