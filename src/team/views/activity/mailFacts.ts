import type { ActivityEvent, ActivityKind } from "../../../protocol/activity.ts";
import { type Entry, messageId } from "../../../protocol/message.ts";
import { type MessageBody, parseBody, requestIdOf } from "../../../protocol/messageBody.ts";
import { messageText, planTitle } from "../messageText.ts";
import { oneLine, toolArgument } from "../toolArgument.ts";
import type { ActivityFact } from "./facts.ts";

/** Longest text of a row, in characters. */
const TEXT = 300;

/** A fact of an inbox. `request`: the id of the request that it asks or answers, which the audit log tells better. */
export interface MailFact extends ActivityFact {
  request: string | null;
  /** What one message to several members has in common. */
  sameAs: string | null;
}

/**
 * Makes what the entries of one inbox, or of its archive, tell, again and again. Of the same entries it is the same
 * object, and so is what an entry tells that says what it said before.
 */
export function createMailFacts(to: string): (entries: readonly Entry[]) => readonly MailFact[] {
  let known = new Map<string, { entry: Entry; fact: MailFact | null }>();
  let last: { entries: readonly Entry[]; facts: readonly MailFact[] } = { entries: [], facts: [] };
  return (entries) => {
    if (last.entries === entries) return last.facts;
    const next: typeof known = new Map();
    for (const entry of entries) {
      const key = messageId(entry);
      const before = known.get(key);
      next.set(key, before && saysTheSame(before.entry, entry) ? before : { entry, fact: mailFact(to, entry) });
    }
    known = next;
    last = { entries, facts: [...next.values()].flatMap(({ fact }) => fact ?? []) };
    return last.facts;
  };
}

function saysTheSame(one: Entry, other: Entry): boolean {
  return one.text === other.text && one.from === other.from && one.timestamp === other.timestamp;
}

function mailFact(to: string, entry: Entry): MailFact | null {
  const body = parseBody(entry.text);
  const told = tell(body, entry);
  if (!told) return null;
  const { kind, event } = told;
  const id = `m:${messageId(entry)}`;
  const at = Date.parse(entry.timestamp) || 0;
  const request = body.kind === "message" || body.kind === "unknown" ? null : (requestOf(body) ?? null);
  const sameAs = event.what === "wrote" ? `${entry.from} ${Math.floor(at / 2_000)} ${event.text}` : null;
  return { id, at, kind, who: entry.from, to: [to], event, request, sameAs };
}

type Told = { kind: ActivityKind; event: ActivityEvent } | null;

function tell(message: MessageBody, entry: Entry): Told {
  switch (message.kind) {
    case "message":
      return { kind: "message", event: { what: "wrote", text: oneLine(entry.text, TEXT) } };
    case "unknown":
      return { kind: "message", event: { what: "wrote", text: oneLine(messageText(entry.text), TEXT), ours: true } };
    case "task_assignment":
      return { kind: "task", event: task("gave", message.body.taskId, message.body.subject) };
    case "task_completed":
      return { kind: "task", event: task("finished", message.body.taskId, message.body.taskSubject) };
    case "idle_notification":
      if (message.body.idleReason === "failed")
        return { kind: "state", event: { what: "failed", reason: reason(message.body.failureReason) } };
      return { kind: "state", event: { what: message.body.idleReason === "interrupted" ? "interrupted" : "idle" } };
    case "shutdown_request":
      return { kind: "state", event: { what: "asksStop", reason: reason(message.body.reason) } };
    case "shutdown_approved":
      return { kind: "state", event: { what: "stops" } };
    case "shutdown_rejected":
      return { kind: "state", event: { what: "refusesStop", reason: reason(message.body.reason) } };
    case "mode_set_request":
      return { kind: "state", event: { what: "mode", mode: oneLine(message.body.mode, 40) } };
    default:
      return tellRequest(message);
  }
}

function tellRequest(message: MessageBody): Told {
  switch (message.kind) {
    case "plan_approval_request":
      return asks("plan", planTitle(message.body.planContent));
    case "permission_request": {
      const { tool_name: tool, input } = message.body;
      const about = oneLine(`${tool} ${toolArgument(tool, input)}`, 120);
      return asks(tool === "Bash" ? "command" : tool === "Edit" || tool === "Write" ? "edit" : "tool", about);
    }
    case "sandbox_permission_request":
      return asks("tool", oneLine(message.body.hostPattern?.host ?? "", 120));
    case "plan_approval_response":
      return decides(message.body.approved ? "approve" : "reject", message.body.feedback);
    case "permission_response":
      return decides(message.body.subtype === "success" ? "once" : "deny", message.body.error);
    case "sandbox_permission_response":
      return decides(message.body.allow ? "once" : "deny", undefined);
    default:
      return null;
  }
}

function asks(request: "command" | "edit" | "plan" | "tool", title: string): Told {
  return { kind: "decision", event: { what: "asked", request, title, task: null } };
}

function decides(how: "once" | "deny" | "approve" | "reject", why: string | undefined): Told {
  return { kind: "decision", event: { what: "decided", how, by: "person", title: "", reason: reason(why) } };
}

function task(what: "gave" | "finished", id: string, subject: string | undefined): ActivityEvent {
  return { what, task: oneLine(id, 20), subject: oneLine(subject ?? "", 120) };
}

function reason(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : oneLine(text, TEXT);
}

function requestOf(message: Exclude<MessageBody, { kind: "message" | "unknown" }>): string | undefined {
  return requestIdOf(message.body as { requestId?: string; request_id?: string });
}
