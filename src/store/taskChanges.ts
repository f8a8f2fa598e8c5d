import { type ErrorReason, MusterError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { type Task, type TaskMuster, type TaskStatus, taskMuster } from "../protocol/task.ts";
import {
  byId,
  inProgressOf,
  isBlocked,
  nextClaimable,
  openBlockers,
  type TaskGraph,
  withTasks,
  wouldCycle,
} from "../protocol/taskGraph.ts";
import { damagedTask, unknownTask } from "./unknown.ts";

/** Who changes a task. `isAgent: false`: a person or a script, which may act for the owner; else a member's model. */
export interface TaskActor {
  by: string;
  incarnation?: string;
  isAgent?: boolean;
}

/** A task to create. `blocks` and `blockedBy` are ids. */
export interface TaskDraft {
  subject: string;
  description?: string;
  activeForm?: string;
  owner?: string;
  metadata?: Record<string, unknown>;
  blocks?: readonly string[];
  blockedBy?: readonly string[];
}

/** A change of a task: absent fields stay. `owner: ""` takes the owner away; `metadata` merges, null removes a key. */
export interface TaskPatch {
  subject?: string;
  description?: string;
  activeForm?: string;
  status?: TaskStatus | "deleted";
  owner?: string;
  addBlocks?: readonly string[];
  addBlockedBy?: readonly string[];
  metadata?: Record<string, unknown>;
}

/** Fields of a task file to set; `owner: null` removes the key. */
export interface TaskFields {
  subject?: string;
  description?: string;
  activeForm?: string;
  owner?: string | null;
  status?: TaskStatus;
  blocks?: string[];
  blockedBy?: string[];
  metadata?: Record<string, unknown>;
}

/** What a change writes. `changed` names the fields as the reference's results do. */
export interface TaskPlan {
  writes: Map<string, TaskFields>;
  deletes: string | null;
  changed: string[];
  previousOwner: string | null;
}

/** Time and chance of a change. */
export interface ChangeContext {
  now: number;
  nonce: string;
  leaseMs: number;
}

/** A new task with its edges; throws `unknown_task`, `corrupt` and `cycle`. The keys are in the reference's order. */
export function planCreate(
  id: string,
  draft: TaskDraft,
  graph: TaskGraph,
): { task: Task; writes: Map<string, TaskFields> } {
  const task: Task = {
    id,
    subject: draft.subject,
    description: draft.description ?? "",
    ...(draft.activeForm === undefined ? {} : { activeForm: draft.activeForm }),
    ...(draft.owner ? { owner: draft.owner } : {}),
    status: "pending",
    blocks: [],
    blockedBy: [],
    ...(draft.metadata === undefined ? {} : { metadata: mergeMetadata({}, draft.metadata) }),
  };
  for (const other of [...(draft.blocks ?? []), ...(draft.blockedBy ?? [])]) requireTask(other, graph);
  const writes = edgeWrites(task, draft.blocks ?? [], draft.blockedBy ?? [], withTask(graph, task));
  const own = writes.get(id);
  writes.delete(id);
  return { task: { ...task, ...(own as Partial<Task> | undefined) }, writes };
}

/**
 * What a patch does to a task. Throws `unknown_task`, `cycle`, `blocked`, `already_claimed`, `already_resolved`,
 * `agent_busy`, `not_allowed`, `corrupt`.
 */
export function planUpdate(
  id: string,
  patch: TaskPatch,
  actor: TaskActor,
  graph: TaskGraph,
  change: ChangeContext,
): TaskPlan {
  const task = requireTask(id, graph);
  const previousOwner = task.owner || null;
  if (patch.status === "deleted") {
    return { writes: withoutReferences(id, graph), deletes: id, changed: ["deleted"], previousOwner };
  }
  const edges = edgeWrites(task, patch.addBlocks ?? [], patch.addBlockedBy ?? [], graph);
  const fields: TaskFields = { ...edges.get(id) };
  for (const key of ["subject", "description", "activeForm"] as const) {
    const value = patch[key];
    if (value !== undefined && value !== task[key]) fields[key] = value;
  }
  const blockedNow = isBlocked(id, withEdges(graph, edges));
  const owner = nextOwner(task, patch, actor);
  const status = nextStatus(task, patch, owner, actor, graph, blockedNow);
  if (status !== task.status) fields.status = status;
  if (owner !== previousOwner) fields.owner = owner;
  const metadata = nextMetadata(task, patch, status, owner, actor, change);
  if (metadata) fields.metadata = metadata;
  const writes = new Map(edges);
  if (Object.keys(fields).length > 0) writes.set(id, fields);
  return { writes, deletes: null, changed: changedNames(fields, patch), previousOwner };
}

/** What a claim does. With "next": the lowest task that this member may take by itself. */
export function planClaim(
  id: string,
  actor: TaskActor,
  hasTool: (tool: string) => boolean,
  graph: TaskGraph,
  change: ChangeContext,
): { id: string; plan: TaskPlan } {
  const task = id === "next" ? nextFor(actor, hasTool, graph) : requireTask(id, graph);
  if (task.status === "completed") throw refused("already_resolved", task, "is completed already");
  if (task.owner && task.owner !== actor.by) throw refused("already_claimed", task, `belongs to ${task.owner}`);
  requireStartable(task, actor.by, graph, isBlocked(task.id, graph));
  const missing = (taskMuster(task).needs ?? []).filter((tool) => !hasTool(tool));
  if (missing.length > 0) throw refused("not_allowed", task, `needs tools that you do not have: ${missing.join(", ")}`);
  const metadata = { ...task.metadata, muster: { ...ownData(task), claim: newClaim(actor.by, actor, change) } };
  const fields: TaskFields = { status: "in_progress", owner: actor.by, metadata };
  const plan = {
    writes: new Map([[task.id, fields]]),
    deletes: null,
    changed: ["status", "owner"],
    previousOwner: task.owner || null,
  };
  return { id: task.id, plan };
}

/** Gives back what a member that is gone had not finished. */
export function planRelease(owner: string, graph: TaskGraph): Map<string, TaskFields> {
  const unfinished = [...graph.tasks.values()].filter((task) => task.owner === owner && task.status !== "completed");
  return new Map(unfinished.map((task) => [task.id, { status: "pending", owner: null, ...withoutClaim(task) }]));
}

/** Pending tasks that this task held back until a change completed or deleted it, and that nothing holds back now. */
export function unblockedBy(id: string, before: TaskGraph, after: TaskGraph): Task[] {
  const now = after.tasks.get(id);
  const isOver = !now || (now.status === "completed" && before.tasks.get(id)?.status !== "completed");
  if (!isOver) return [];
  return (before.blocked.get(id) ?? [])
    .flatMap((blocked) => after.tasks.get(blocked) ?? [])
    .filter((task) => task.status === "pending" && isBlocked(task.id, before) && !isBlocked(task.id, after))
    .sort(byId);
}

/** A raw task with fields set; keys that only other writers know stay, where they are. */
export function applyFields(raw: Record<string, unknown>, fields: TaskFields): Record<string, unknown> {
  const next: Record<string, unknown> = { ...raw, ...fields };
  if (fields.owner === null) delete next["owner"];
  return next;
}

function requireTask(id: string, graph: TaskGraph): Task {
  const task = graph.tasks.get(id);
  if (task) return task;
  throw graph.damaged.has(id) ? damagedTask(id) : unknownTask(id);
}

function nextFor(actor: TaskActor, hasTool: (tool: string) => boolean, graph: TaskGraph): Task {
  const busy = inProgressOf(actor.by, graph);
  if (busy) throw refused("agent_busy", busy, `is still in progress for ${actor.by}: complete it first`);
  const task = nextClaimable(graph, hasTool);
  if (!task) throw new MusterError("unknown_task", "No task is free: all are owned, blocked or completed.");
  return task;
}

function nextOwner(task: Task, patch: TaskPatch, actor: TaskActor): string | null {
  const current = task.owner || null;
  if (patch.owner !== undefined) {
    const wanted = patch.owner || null;
    const takesAnothers = isAgent(actor) && wanted === actor.by && current !== null && current !== actor.by;
    if (takesAnothers && actor.by !== LEAD_NAME) throw refused("already_claimed", task, `belongs to ${current}`);
    return wanted;
  }
  if (patch.status !== "in_progress" || current !== null) return current;
  if (isAgent(actor)) return actor.by;
  throw refused("not_allowed", task, "has no owner: claim it for a member, or give it an owner");
}

function nextStatus(
  task: Task,
  patch: TaskPatch,
  owner: string | null,
  actor: TaskActor,
  graph: TaskGraph,
  blocked: boolean,
): TaskStatus {
  const wanted = patch.status === "deleted" ? undefined : patch.status;
  const reassigned = owner !== (task.owner || null) && task.status === "in_progress";
  const status = wanted ?? (reassigned ? "pending" : task.status);
  if (status === "in_progress" && (task.status !== "in_progress" || reassigned)) {
    if (task.status === "completed") throw refused("already_resolved", task, "is completed: set it to pending first");
    if (owner === null) throw refused("not_allowed", task, "has no owner: give it one");
    if (isAgent(actor) && owner !== actor.by) throw refused("already_claimed", task, `belongs to ${owner}`);
    requireStartable(task, owner, graph, blocked);
  }
  const closesBlocked = status === "completed" && task.status !== "completed" && blocked;
  if (closesBlocked && isAgent(actor) && actor.by !== LEAD_NAME) throw blockedError(task, graph);
  return status;
}

function isAgent(actor: TaskActor): boolean {
  return actor.isAgent !== false;
}

function requireStartable(task: Task, owner: string, graph: TaskGraph, blocked: boolean): void {
  if (blocked) throw blockedError(task, graph);
  const busy = inProgressOf(owner, graph);
  if (busy && busy.id !== task.id) {
    throw new MusterError("agent_busy", `${owner} has task #${busy.id} in progress: one at a time. Complete it first.`);
  }
}

function nextMetadata(
  task: Task,
  patch: TaskPatch,
  status: TaskStatus,
  owner: string | null,
  actor: TaskActor,
  change: ChangeContext,
): Record<string, unknown> | undefined {
  const merged = patch.metadata === undefined ? task.metadata : mergeMetadata(task.metadata ?? {}, patch.metadata);
  const own = { ...(merged?.["muster"] as TaskMuster | undefined) };
  const started = status === "in_progress" && (task.status !== "in_progress" || owner !== task.owner);
  const completed = status === "completed" && task.status !== "completed";
  if (started && owner !== null) own.claim = newClaim(owner, actor, change);
  if (status === "pending" || owner === null) delete own.claim;
  if (completed) Object.assign(own, { completedBy: actor.by, completedAt: change.now });
  if (status !== "completed") {
    delete own.completedBy;
    delete own.completedAt;
  }
  const { muster: _old, ...rest } = merged ?? {};
  const next = Object.keys(own).length === 0 ? rest : { ...rest, muster: own };
  if (merged === undefined && Object.keys(next).length === 0) return undefined;
  return JSON.stringify(next) === JSON.stringify(task.metadata) ? undefined : next;
}

function newClaim(
  by: string,
  actor: TaskActor,
  { now, nonce, leaseMs }: ChangeContext,
): NonNullable<TaskMuster["claim"]> {
  const incarnation = actor.by === by ? actor.incarnation : undefined;
  return { nonce, by, ...(incarnation === undefined ? {} : { incarnation }), at: now, leaseMs };
}

/** Of our own data only `needs` may be given from outside; claims and their like are kept as they are. */
function mergeMetadata(current: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...current };
  for (const [key, value] of Object.entries(patch)) {
    if (key === "muster") merged[key] = mergeOwn(current[key], value);
    else if (value === null) delete merged[key];
    else Object.defineProperty(merged, key, { value, enumerable: true, writable: true, configurable: true });
  }
  if (merged["muster"] === undefined) delete merged["muster"];
  return merged;
}

function mergeOwn(current: unknown, patch: unknown): unknown {
  const kept = isObject(current) ? current : undefined;
  if (!isObject(patch) || !("needs" in patch)) return kept;
  const { needs: _old, ...rest } = kept ?? {};
  const needs = Array.isArray(patch["needs"]) ? patch["needs"].filter((tool) => typeof tool === "string") : [];
  return needs.length === 0 ? kept && rest : { ...rest, needs };
}

function withoutClaim(task: Task): { metadata?: Record<string, unknown> } {
  const own = ownData(task);
  if (own.claim === undefined) return {};
  const { claim: _claim, ...rest } = own;
  return { metadata: { ...task.metadata, muster: rest } };
}

function ownData(task: Task): TaskMuster {
  const own = task.metadata?.["muster"];
  return isObject(own) ? (own as TaskMuster) : {};
}

/** Both directions of new edges. Throws `unknown_task`, `corrupt`, and `cycle` for a self-edge too. */
function edgeWrites(
  task: Task,
  addBlocks: readonly string[],
  addBlockedBy: readonly string[],
  graph: TaskGraph,
): Map<string, TaskFields> {
  const edges = [
    ...addBlocks.map((other) => ({ from: task.id, to: other })),
    ...addBlockedBy.map((other) => ({ from: other, to: task.id })),
  ];
  const writes = new Map<string, TaskFields>();
  let grown = graph;
  for (const { from, to } of edges) {
    const blocker = requireTask(from, graph);
    const blocked = requireTask(to, graph);
    if (wouldCycle(from, to, grown)) {
      throw new MusterError(
        "cycle",
        `Task #${from} cannot block #${to}: that would be a cycle, and neither could ever start.`,
      );
    }
    addOnce(writes, blocker, "blocks", to);
    addOnce(writes, blocked, "blockedBy", from);
    grown = withEdges(graph, writes);
  }
  return writes;
}

function addOnce(writes: Map<string, TaskFields>, task: Task, key: "blocks" | "blockedBy", id: string): void {
  const fields = writes.get(task.id) ?? {};
  const list = fields[key] ?? task[key];
  if (list.includes(id)) return;
  writes.set(task.id, { ...fields, [key]: [...list, id] });
}

function withEdges(graph: TaskGraph, writes: ReadonlyMap<string, TaskFields>): TaskGraph {
  if (writes.size === 0) return graph;
  return withTasks(
    graph,
    [...graph.tasks.values()].map((task) => {
      const { blocks = task.blocks, blockedBy = task.blockedBy } = writes.get(task.id) ?? {};
      return { ...task, blocks, blockedBy };
    }),
  );
}

function withTask(graph: TaskGraph, task: Task): TaskGraph {
  return withTasks(graph, [...graph.tasks.values(), task]);
}

function withoutReferences(id: string, graph: TaskGraph): Map<string, TaskFields> {
  const writes = new Map<string, TaskFields>();
  for (const task of graph.tasks.values()) {
    if (task.id === id) continue;
    const fields: TaskFields = {};
    if (task.blocks.includes(id)) fields.blocks = task.blocks.filter((other) => other !== id);
    if (task.blockedBy.includes(id)) fields.blockedBy = task.blockedBy.filter((other) => other !== id);
    if (Object.keys(fields).length > 0) writes.set(task.id, fields);
  }
  return writes;
}

function changedNames(fields: TaskFields, patch: TaskPatch): string[] {
  const names = ["subject", "description", "activeForm", "status", "owner"].filter((name) => name in fields);
  if (patch.metadata !== undefined && "metadata" in fields) names.push("metadata");
  if (patch.addBlocks?.length) names.push("blocks");
  if (patch.addBlockedBy?.length) names.push("blockedBy");
  return names;
}

function blockedError(task: Task, graph: TaskGraph): MusterError {
  const open = openBlockers(task.id, graph);
  const blockers = listed(open) || "another task";
  const damaged = listed(open.filter((id) => graph.damaged.has(id)));
  if (damaged === "") return refused("blocked", task, `is blocked by ${blockers}: complete that first`);
  return refused("blocked", task, `is blocked by ${blockers}, and the file of ${damaged} is damaged: mend that first`);
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(", ");
}

function refused(reason: ErrorReason, task: Task, why: string): MusterError {
  return new MusterError(reason, `Task #${task.id} ${why}.`);
}
