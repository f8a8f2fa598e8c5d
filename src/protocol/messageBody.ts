import * as z from "zod";
import { isObject, parseJson } from "../base/json.ts";
import { decidedBySchema } from "./request.ts";

/**
 * The protocol messages inside an entry's `text` (keys and their order as the reference writes them: 2.1.41 to
 * 2.1.332). Both spellings of the request's id are read.
 */

const time = z.optional(z.string());
const requestId = { requestId: z.optional(z.string()), request_id: z.optional(z.string()) };

const idleNotification = z.looseObject({
  type: z.literal("idle_notification"),
  from: z.string(),
  timestamp: time,
  idleReason: z.optional(z.enum(["available", "interrupted", "failed"]).catch("available")),
  summary: z.optional(z.string()),
  completedTaskId: z.optional(z.string()),
  completedStatus: z.optional(z.string()),
  failureReason: z.optional(z.string()),
  result: z.optional(z.string()),
  /** Only ours: what the member waits for, in words for a person. */
  muster: z.optional(z.looseObject({ waitsFor: z.optional(z.string()) })).catch(undefined),
});

const taskAssignment = z.looseObject({
  type: z.literal("task_assignment"),
  taskId: z.string(),
  subject: z.string(),
  description: z.optional(z.string()),
  assignedBy: z.optional(z.string()),
  timestamp: time,
});

const taskCompleted = z.looseObject({
  type: z.literal("task_completed"),
  from: z.optional(z.string()),
  taskId: z.string(),
  taskSubject: z.optional(z.string()),
  timestamp: time,
});

const shutdownRequest = z.looseObject({
  type: z.literal("shutdown_request"),
  ...requestId,
  from: z.optional(z.string()),
  reason: z.optional(z.string()),
  timestamp: time,
  /** Only ours: the person or the session's end asks, and nobody decides the member's requests until it has refused. */
  muster: z.optional(z.looseObject({ undecided: z.optional(z.boolean()) })).catch(undefined),
});

const shutdownApproved = z.looseObject({
  type: z.literal("shutdown_approved"),
  ...requestId,
  from: z.string(),
  timestamp: time,
  paneId: z.optional(z.string()),
  backendType: z.optional(z.string()),
});

const shutdownRejected = z.looseObject({
  type: z.literal("shutdown_rejected"),
  ...requestId,
  from: z.string(),
  reason: z.optional(z.string()),
  timestamp: time,
});

const planApprovalRequest = z.looseObject({
  type: z.literal("plan_approval_request"),
  from: z.string(),
  timestamp: time,
  planFilePath: z.optional(z.string()),
  planContent: z.string(),
  ...requestId,
});

/** Only ours. */
const whoDecided = {
  muster: z.optional(z.looseObject({ by: z.optional(decidedBySchema) })).catch(undefined),
};

const planApprovalResponse = z.looseObject({
  type: z.literal("plan_approval_response"),
  ...requestId,
  approved: z.boolean(),
  feedback: z.optional(z.string()),
  timestamp: time,
  permissionMode: z.optional(z.string()),
  planDigest: z.optional(z.string()),
  ...whoDecided,
});

const permissionRequest = z.looseObject({
  type: z.literal("permission_request"),
  ...requestId,
  agent_id: z.string(),
  tool_name: z.string(),
  tool_use_id: z.string(),
  description: z.optional(z.string()),
  input: z.record(z.string(), z.unknown()),
  permission_suggestions: z.optional(z.array(z.unknown())),
});

const permissionResponse = z.looseObject({
  type: z.literal("permission_response"),
  ...requestId,
  subtype: z.enum(["success", "error"]),
  response: z.optional(
    z.looseObject({
      updated_input: z.optional(z.record(z.string(), z.unknown())),
      permission_updates: z.optional(z.array(z.unknown())),
    }),
  ),
  error: z.optional(z.string()),
  tool_use_id: z.optional(z.string()),
  approved_request: z.optional(
    z.looseObject({ tool_use_id: z.string(), tool_name: z.string(), input_digest: z.string() }),
  ),
  ...whoDecided,
});

const sandboxPermissionRequest = z.looseObject({
  type: z.literal("sandbox_permission_request"),
  ...requestId,
  workerId: z.optional(z.string()),
  workerName: z.optional(z.string()),
  workerColor: z.optional(z.string()),
  hostPattern: z.optional(z.looseObject({ host: z.string() })),
  createdAt: z.optional(z.number()),
});

const sandboxPermissionResponse = z.looseObject({
  type: z.literal("sandbox_permission_response"),
  ...requestId,
  host: z.optional(z.string()),
  allow: z.boolean(),
  timestamp: time,
});

const modeSetRequest = z.looseObject({
  type: z.literal("mode_set_request"),
  mode: z.string(),
  from: z.optional(z.string()),
});
/** Only ours: its member is a process of ours, and the person ends the run that goes on there. */
const interruptRequest = z.looseObject({ type: z.literal("interrupt_request"), from: z.optional(z.string()) });
/** Of the reference only the type is known; what ours changes stands under `muster`. */
const teamPermissionUpdate = z.looseObject({
  type: z.literal("team_permission_update"),
  from: z.optional(z.string()),
  muster: z.optional(
    z.looseObject({ rules: z.optional(z.array(z.string())), directories: z.optional(z.array(z.string())) }),
  ),
});
const teammateTerminated = z.looseObject({ type: z.literal("teammate_terminated"), message: z.string() });

const knownBodySchema = z.discriminatedUnion("type", [
  idleNotification,
  taskAssignment,
  taskCompleted,
  shutdownRequest,
  shutdownApproved,
  shutdownRejected,
  planApprovalRequest,
  planApprovalResponse,
  permissionRequest,
  permissionResponse,
  sandboxPermissionRequest,
  sandboxPermissionResponse,
  modeSetRequest,
  interruptRequest,
  teamPermissionUpdate,
  teammateTerminated,
]);

/** A protocol message. */
export type ProtocolBody = z.infer<typeof knownBodySchema>;
export type ProtocolKind = ProtocolBody["type"];
export type BodyOf<K extends ProtocolKind> = Extract<ProtocolBody, { type: K }>;

/**
 * What an entry's text is: a plain `message`, a protocol message of its kind, or `unknown`: an object with a `type` that
 * this version does not know or whose fields are not as they should be. Unknown ones are shown and do nothing.
 */
export type MessageBody =
  | { kind: "message"; body: null }
  | { [K in ProtocolKind]: { kind: K; body: BodyOf<K> } }[ProtocolKind]
  | { kind: "unknown"; body: Record<string, unknown> };

export type MessageKind = MessageBody["kind"];

/** Reads an entry's text; never throws. */
export function parseBody(text: string): MessageBody {
  const value = parseObject(text);
  if (!value || typeof value["type"] !== "string") return { kind: "message", body: null };
  const parsed = knownBodySchema.safeParse(value);
  if (!parsed.success) return { kind: "unknown", body: value };
  return { kind: parsed.data.type, body: parsed.data } as MessageBody;
}

/** Whether a text that a model wrote would itself be read as a protocol message: SendMessage refuses it. */
export function isProtocolText(text: string): boolean {
  const value = parseObject(text);
  return value !== null && knownBodySchema.options.some((option) => option.shape.type.value === value["type"]);
}

/** The text of a protocol message: compact JSON in the order of its keys. */
export function bodyText(body: ProtocolBody): string {
  return JSON.stringify(body);
}

/** The id that ties a request to its response, in whichever spelling it came. */
export function requestIdOf(body: {
  requestId?: string | undefined;
  request_id?: string | undefined;
}): string | undefined {
  return body.requestId ?? body.request_id;
}

function parseObject(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith("{")) return null;
  const value = parseJson(text);
  return isObject(value) ? value : null; // text that only looks like JSON is text
}
