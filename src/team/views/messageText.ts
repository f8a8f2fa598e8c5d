import type { Entry } from "../../protocol/message.ts";
import type { BodyOf, MessageBody, ProtocolKind } from "../../protocol/messageBody.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import { modeWords } from "../../protocol/mode.ts";
import { oneLine, toolArgument } from "./toolArgument.ts";

/**
 * What a person reads of an entry: the text itself, or for a protocol message what it does, to be read after the name
 * of its sender (*gave #1 Add the parser*).
 */
export function messageText(text: string): string {
  const message = parseBody(text);
  return message.kind === "message" ? text : protocolText(message);
}

/** The protocol message of an entry, indented; null for text. */
export function messageJson(entry: Pick<Entry, "text">): string | null {
  const message = parseBody(entry.text);
  return message.kind === "message" ? null : JSON.stringify(message.body, null, 2);
}

/** The title of a plan: its first heading, else its first line; that it is a plan is left out. */
export function planTitle(plan: string): string {
  const lines = plan.split("\n").map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line)) ?? lines.find((line) => line !== "") ?? "";
  return oneLine(heading.replace(/^#{1,6}\s+/, "").replace(/^plan\s*[:—–-]\s*/i, ""), 120);
}

function protocolText(message: Exclude<MessageBody, { kind: "message" }>): string {
  if (message.kind === "unknown")
    return `sent something that this version does not know: ${oneLine(String(message.body["type"]), 60)}`;
  return (TEXTS[message.kind] as (body: unknown) => string)(message.body);
}

const TEXTS: { [K in ProtocolKind]: (body: BodyOf<K>) => string } = {
  idle_notification: idleText,
  task_assignment: (body) => `gave #${body.taskId} ${body.subject}`,
  task_completed: (body) => withReason(`finished #${body.taskId}`, body.taskSubject),
  shutdown_request: (body) => withReason("asks to stop", body.reason),
  shutdown_approved: () => "stops",
  shutdown_rejected: (body) => withReason("does not stop", body.reason),
  plan_approval_request: (body) => withReason("sent a plan", planTitle(body.planContent)),
  plan_approval_response: (body) =>
    body.approved ? "approved the plan" : withReason("sent the plan back", body.feedback),
  permission_request: (body) => withReason(`asks to use ${body.tool_name}`, toolArgument(body.tool_name, body.input)),
  permission_response: (body) => (body.subtype === "success" ? "allowed it" : withReason("refused it", body.error)),
  sandbox_permission_request: (body) => withReason("asks to reach", body.hostPattern?.host ?? "a host"),
  sandbox_permission_response: (body) => withReason(body.allow ? "allowed to reach" : "refused to reach", body.host),
  interrupt_request: () => "interrupts the run",
  mode_set_request: (body) => `set the mode to ${modeWords(oneLine(body.mode, 40))}`,
  team_permission_update: () => "changed what the team may do",
  teammate_terminated: (body) => body.message,
};

/** What it did last, and what it waits for: *finished #3 and is idle: #9 after #6*. */
function idleText({ idleReason = "available", ...body }: BodyOf<"idle_notification">): string {
  const state = stateAfter(idleReason, body.completedTaskId, body.completedStatus ?? "resolved");
  if (idleReason === "failed") return withReason(state, body.failureReason);
  const waits = withReason(state, body.muster?.waitsFor);
  return body.summary === undefined ? waits : `${waits}, after a message ${body.summary}`;
}

type IdleReason = NonNullable<BodyOf<"idle_notification">["idleReason"]>;

function stateAfter(reason: IdleReason, task: string | undefined, status: string): string {
  const [alone, done, open] = STATES[reason];
  if (task === undefined) return alone;
  return (status === "resolved" ? done : open)(task);
}

/** How a run ended: alone, after a task that was finished, and after one that was not. */
const STATES: Record<IdleReason, [string, (task: string) => string, (task: string) => string]> = {
  available: ["is idle", (task) => `finished #${task} and is idle`, (task) => `left #${task} open and is idle`],
  interrupted: [
    "was interrupted",
    (task) => `finished #${task} and was interrupted`,
    (task) => `left #${task} open and was interrupted`,
  ],
  failed: ["failed", (task) => `finished #${task} and failed`, (task) => `left #${task} open and failed`],
};

function withReason(what: string, reason: string | undefined): string {
  return reason ? `${what}: ${reason}` : what;
}
