import * as z from "zod";
import { ERROR_REASONS } from "../../src/base/errors.ts";

/** The shapes of every JSON output (docs/command-line.md), written anew so that the code cannot define its own test. */

const text = z.string();
const textOrNull = z.nullable(text);
const count = z.int().min(0);
const ms = z.number().min(0);
const generation = z.enum(["G1", "G2", "G3"]);
const taskStatus = z.enum(["pending", "in_progress", "completed"]);
const memberState = z.enum([
  "starting",
  "working",
  "waiting",
  "idle",
  "stopping",
  "suspect",
  "dead",
  "failed",
  "unknown",
]);
const backend = z.enum(["in-process", "terminal", "tmux"]);
const kind = z.enum(["permission", "plan"]);
const anyObject = z.record(text, z.unknown());

export const errorOutput = z.strictObject({ error: z.strictObject({ reason: z.enum(ERROR_REASONS), message: text }) });

const task = z.strictObject({
  id: text,
  subject: text,
  description: text,
  activeForm: textOrNull,
  status: taskStatus,
  owner: textOrNull,
  blocks: z.array(text),
  blockedBy: z.array(text),
  openBlockers: z.array(text),
  metadata: anyObject,
});

export const teamsOutput = z.strictObject({
  root: text,
  teams: z.array(
    z.strictObject({
      name: text,
      displayName: text,
      generation,
      members: z.nullable(count),
      tasks: z.nullable(z.strictObject({ pending: count, in_progress: count, completed: count })),
      requests: z.nullable(count),
      live: z.boolean(),
      createdAt: ms,
      damaged: z.optional(z.array(z.strictObject({ file: text, message: text }))),
    }),
  ),
});

export const statusOutput = z.strictObject({
  team: z.strictObject({
    name: text,
    displayName: text,
    description: text,
    createdAt: ms,
    leadAgentId: text,
    leadSessionId: text,
    generation,
    live: z.boolean(),
  }),
  members: z.array(
    z.strictObject({
      name: text,
      displayName: text,
      agentId: text,
      agentType: text,
      model: text,
      color: textOrNull,
      backend: z.nullable(backend),
      state: memberState,
      mode: textOrNull,
      planModeRequired: z.boolean(),
      task: textOrNull,
      unread: count,
      joinedAt: ms,
      cwd: text,
      paneId: textOrNull,
    }),
  ),
  tasks: z.strictObject({ pending: count, in_progress: count, completed: count, blocked: count }),
  requests: z.array(z.strictObject({ id: text, kind, from: text, tool: textOrNull, description: text, createdAt: ms })),
});

export const tasksOutput = z.strictObject({ tasks: z.array(task) });
export const inboxOutput = z.strictObject({
  agent: text,
  entries: z.array(z.looseObject({ from: text, text, timestamp: text, kind: text, body: z.nullable(anyObject) })),
});
export const sendOutput = z.strictObject({ sent: z.array(z.strictObject({ to: text, msg_id: z.uuid() })) });
export const taskOutput = z.strictObject({ task });
export const taskUpdateOutput = z.strictObject({ task: z.nullable(task), unblocked: z.array(text) });
export const claimOutput = z.discriminatedUnion("claimed", [
  z.strictObject({ claimed: z.literal(true), task }),
  z.strictObject({ claimed: z.literal(false), reason: z.enum(ERROR_REASONS), task: z.nullable(task) }),
]);
export const doctorOutput = z.strictObject({
  ok: z.boolean(),
  checked: count,
  faults: z.array(z.strictObject({ team: textOrNull, file: text, invariant: text, message: text, repair: text })),
  notes: z.array(text),
});

export const explainLine = z.strictObject({
  id: text,
  decision: z.enum(["allow", "ask", "deny"]),
  rule: textOrNull,
  reason: text.min(1),
});

const usage = {
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
};
const event = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.strictObject({ at: z.iso.datetime(), type: z.literal(type), ...shape });

export const runEvent = z.discriminatedUnion("type", [
  event("run_started", { session: z.uuid(), cwd: text, model: text }),
  event("team_created", { team: text }),
  event("team_deleted", { team: text }),
  event("member_joined", {
    member: text,
    agentType: text,
    model: text,
    backend,
    color: textOrNull,
    planModeRequired: z.boolean(),
  }),
  event("member_left", { member: text, reason: text }),
  event("member_state", { member: text, state: memberState, reason: z.optional(text) }),
  event("task", { task }),
  event("message", { from: text, to: text, kind: text, summary: z.optional(text), msg_id: text }),
  event("text", { member: text, text }),
  event("tool_start", { member: text, id: text, name: text, input: anyObject }),
  event("tool_end", { member: text, id: text, ok: z.boolean(), ms }),
  event("request", {
    id: text,
    kind,
    from: text,
    tool: z.optional(text),
    input: z.optional(anyObject),
    plan: z.optional(text),
  }),
  event("decision", {
    id: text,
    decision: z.enum(["allow", "deny", "approve", "reject"]),
    by: z.enum(["person", "policy", "rule"]),
    reason: z.optional(text),
  }),
  event("usage", { member: text, ...usage }),
  event("run_finished", {
    result: z.enum(["completed", "incomplete", "failed", "interrupted"]),
    reason: z.optional(text),
    text,
    tasks: z.strictObject({ pending: count, in_progress: count, completed: count, blocked: count }),
    usage: z.strictObject(usage),
    exit: z.int(),
  }),
]);
export type RunEvent = z.infer<typeof runEvent>;
