import type { ActivityEvent, ActivityKind, DecidedHow } from "../../../protocol/activity.ts";
import { type AuditLine, auditLineSchema } from "../../../protocol/audit.ts";
import { parseBody } from "../../../protocol/messageBody.ts";
import { PERSON_NAME } from "../../../protocol/names.ts";
import type { Decision, PendingRequest } from "../../../protocol/request.ts";
import { planTitle } from "../messageText.ts";
import { requestTitle } from "../previews.ts";
import { oneLine } from "../toolArgument.ts";
import { unwrapEntries } from "../unwrapEntries.ts";
import type { ActivityFact } from "./facts.ts";

/** Lines that a person is told of; an answer that was refused is told to who gave it, a budget stands with the team. */
type Line = Exclude<AuditLine, { event: "refused" | "budget" }>;

/** What lines of the audit log tell, and the ids of the requests among them. They come in order, piece by piece. */
export interface AuditFacts {
  facts: ActivityFact[];
  requests: Map<string, { title: string; plan: boolean }>;
  count: number;
}

/** No line was read yet. */
export function noAudit(): AuditFacts {
  return { facts: [], requests: new Map(), count: 0 };
}

/** Adds the next lines to `audit`, in place. */
export function addAudit(audit: AuditFacts, lines: readonly unknown[]): void {
  for (const value of lines) {
    audit.count += 1;
    const line = auditLineSchema.safeParse(value).data;
    if (!line || line.event === "refused" || line.event === "budget") continue;
    const id = `a:${String(audit.count).padStart(8, "0")}`;
    audit.facts.push({ id, at: Date.parse(line.at) || 0, ...tell(line, audit) });
  }
}

type Told = { kind: ActivityKind; who: string | null; to: string[]; event: ActivityEvent };

function tell(line: Line, { requests }: AuditFacts): Told {
  switch (line.event) {
    case "asked": {
      const { request } = line;
      const title = titleOf(request);
      requests.set(request.id, { title, plan: request.kind === "plan" });
      const event: ActivityEvent = { what: "asked", request: kindOf(request), title, task: request.task };
      return { kind: "decision", who: request.from, to: [], event };
    }
    case "decided": {
      const title = requests.get(line.id)?.title ?? "";
      const { by, decision } = line;
      const event: ActivityEvent = { what: "decided", how: howOf(decision), by, title, reason: reasonOf(decision) };
      return { kind: "decision", who: by === "person" ? PERSON_NAME : null, to: [line.from], event };
    }
    case "withdrawn": {
      const { title = "", plan = false } = requests.get(line.id) ?? {};
      const event: ActivityEvent = { what: "withdrew", title, ...(plan ? { plan } : {}) };
      return { kind: "decision", who: line.from, to: [], event };
    }
    case "left":
      return { kind: "state", who: line.member, to: [], event: leftEvent(line.text) };
    case "paused":
    case "resumed":
      return { kind: "state", who: PERSON_NAME, to: [], event: { what: line.event } };
    case "mode":
      return {
        kind: "state",
        who: PERSON_NAME,
        to: [line.member],
        event: { what: "mode", mode: oneLine(line.mode, 40) },
      };
  }
}

function titleOf(request: PendingRequest): string {
  return oneLine(request.kind === "plan" ? planTitle(request.planContent) : requestTitle(request), 120);
}

function kindOf(request: PendingRequest): "command" | "edit" | "plan" | "tool" {
  if (request.kind === "plan") return "plan";
  if (request.tool === "Bash") return "command";
  return request.tool === "Edit" || request.tool === "Write" ? "edit" : "tool";
}

function howOf(decision: Decision): DecidedHow {
  return decision.kind === "allow" ? decision.scope : decision.kind;
}

function reasonOf(decision: Decision): string | null {
  const text = decision.kind === "deny" ? decision.reason : decision.kind === "reject" ? decision.feedback : undefined;
  return text ? oneLine(text, 300) : null;
}

/** The notice that the lead got (`terminatedText` in removeTeammate.ts writes it). */
function leftEvent(text: string): ActivityEvent {
  const inner = unwrapEntries(text)?.[0]?.text ?? text;
  const body = parseBody(inner);
  const message = body.kind === "teammate_terminated" ? body.body.message : inner;
  const failed = / has failed \((.*?)\)\.(?=$| \d+ (?:task|message)\(s\) )/s.exec(message)?.[1];
  if (failed !== undefined) return { what: "left", how: "failed", reason: oneLine(failed, 300) };
  const ended = / was ended \((.*?)\)\.(?=$| \d+ (?:task|message)\(s\) )/s.exec(message)?.[1];
  if (ended !== undefined) return { what: "left", how: "ended", reason: oneLine(ended, 300) };
  return { what: "left", how: "stopped", reason: null };
}
