import { basename, dirname, join } from "node:path";
import { isInternalTask, type Task, taskMuster } from "../protocol/task.ts";
import { openBlockers, type TaskGraph, wouldCycle } from "../protocol/taskGraph.ts";
import type { TeamConfig } from "../protocol/team.ts";
import type { Findings } from "./doctorFindings.ts";
import type { FileCache } from "./fileCache.ts";
import { listDir } from "./folders.ts";
import type { TeamPaths } from "./paths.ts";
import { readRaw } from "./rawFile.ts";
import type { StoreContext, StoreFault } from "./storeContext.ts";
import { readTasks } from "./taskFiles.ts";

/** What tasks are checked with. `told`: the damaged files that were come by. */
interface TaskParts {
  context: StoreContext;
  cache: FileCache;
  told: readonly StoreFault[];
}

/** Checks the task files of one team: edges, owners, ids. */
export async function checkTasks(
  { context, cache, told }: TaskParts,
  paths: TeamPaths,
  config: TeamConfig,
  findings: Findings,
): Promise<void> {
  const { graph, raws, highest } = await readTasks(context, cache, paths);
  findings.checked(raws.size + graph.damaged.size);
  const damaged = told.filter((fault) => dirname(fault.file) === paths.tasks).map(({ file }) => file);
  for (const file of damaged) {
    const repair = findings.byHand(
      file,
      `Mend ${file} by hand; whoever reads it next sets it aside under muster/corrupt.`,
    );
    findings.fault(file, NOT_EMPTY, `The file of task #${basename(file, ".json")} is damaged.`, repair);
  }
  const unsure = new Set(damaged.map((file) => basename(file, ".json")));
  for (const task of graph.tasks.values()) if (!unsure.has(task.id)) checkEdges(task, graph, unsure, paths, findings);
  checkOwners(graph, paths, config, findings);
  await checkIds(context, paths, highest, findings);
}

const NOT_EMPTY = "a file that does not parse is never empty";

/** `unsure`: ids of damaged files, of which nobody knows the edges: what is wrong with them is told already. */
function checkEdges(
  task: Task,
  graph: TaskGraph,
  unsure: ReadonlySet<string>,
  paths: TeamPaths,
  findings: Findings,
): void {
  const file = paths.task(task.id);
  for (const [list, back] of [
    ["blocks", "blockedBy"],
    ["blockedBy", "blocks"],
  ] as const) {
    for (const id of task[list].filter((one) => !unsure.has(one))) {
      const other = graph.tasks.get(id);
      const repair = `Remove #${id} from \`${list}\` of #${task.id}, or set the edge again with \`muster task update\`.`;
      if (!other) findings.habit(file, "edges lead to tasks", `#${task.id} ${list} #${id}, which is gone.`, repair);
      else if (!other[back].includes(task.id)) {
        findings.habit(file, "edges stand in both tasks", `#${task.id} ${list} #${id}, which does not say so.`, repair);
      }
    }
  }
  const blocker = (graph.blockers.get(task.id) ?? []).find((id) => wouldCycle(id, task.id, graph));
  if (blocker === undefined) return;
  const message = `#${task.id} waits for itself by way of #${blocker}.`;
  findings.fault(file, "no circle of waiting", message, "Remove one edge of the circle from the files.");
}

function checkOwners(graph: TaskGraph, paths: TeamPaths, config: TeamConfig, findings: Findings): void {
  const members = new Set(config.members.map(({ name }) => name));
  const busy = new Map<string, string>();
  for (const task of graph.tasks.values()) {
    if (task.status === "completed" || isInternalTask(task)) continue;
    const report = (invariant: string, message: string) =>
      findings.habit(paths.task(task.id), invariant, message, releaseWith(task.id));
    if (task.owner && !members.has(task.owner)) {
      report("an owner is a member", `#${task.id} belongs to ${task.owner}, who is not a member.`);
    }
    if (task.status !== "in_progress") continue;
    if (!task.owner) report("a task in progress has an owner", `#${task.id} is in progress and has none.`);
    checkStart(task, graph, report, findings);
    const other = busy.get(task.owner ?? "");
    if (task.owner && other) {
      report("one task in progress per member", `${task.owner} has #${other} and #${task.id} in progress.`);
    }
    busy.set(task.owner ?? "", task.id);
  }
}

/** A task that was claimed while it was free may have been blocked since, by a new edge or a blocker that was reopened. */
function checkStart(
  task: Task,
  graph: TaskGraph,
  report: (invariant: string, message: string) => void,
  findings: Findings,
): void {
  const open = openBlockers(task.id, graph).filter((id) => !graph.damaged.has(id)); // those are told of already
  if (open.length === 0) return;
  const message = `#${task.id} is in progress and blocked by #${open.join(", #")}.`;
  if (taskMuster(task).claim) findings.note(message);
  else report("a blocked task is not started", message);
}

function releaseWith(id: string): string {
  return `Run \`muster task update\` for #${id} with --status pending --owner ''.`;
}

async function checkIds(context: StoreContext, paths: TeamPaths, used: number, findings: Findings): Promise<void> {
  const deleted = (await listDir(context.fs, paths.deleted)).filter((name) => name.endsWith(".json"));
  const names = new Set(await listDir(context.fs, paths.tasks));
  for (const name of deleted.filter((one) => names.has(one))) {
    const file = join(paths.tasks, name);
    const message = `#${basename(name, ".json")} was deleted and was written again by another program; it stays hidden.`;
    findings.fault(file, "a deleted task stays deleted", message, `Remove ${file}.`);
  }
  const raw = await readRaw(context, paths.highWaterMark);
  if (raw !== undefined) findings.checked(1);
  if (raw !== undefined && !isMark(raw)) {
    const repair = findings.byHand(paths.highWaterMark, `Write ${used} into it.`);
    findings.fault(paths.highWaterMark, NOT_EMPTY, ".highwatermark holds no number.", repair);
    return;
  }
  const mark = raw === undefined ? 0 : raw;
  const highest = Math.max(0, ...deleted.map((name) => Number(basename(name, ".json"))));
  if (mark >= highest) return;
  const message = `.highwatermark says ${mark}, although #${highest} was used and deleted.`;
  findings.habit(paths.highWaterMark, "ids are never used again", message, `Write ${highest} into it.`);
}

/** Digits, as `readNumber` takes them. */
function isMark(raw: unknown): raw is number {
  return typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0;
}
