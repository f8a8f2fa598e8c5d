import { isoTime } from "../../base/clock.ts";
import { inputDigest, planDigest } from "../../protocol/digest.ts";
import type { BodyOf } from "../../protocol/messageBody.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { PendingRequest, PermissionRequest, PlanRequest } from "../../protocol/request.ts";
import { recordAudit } from "../audit.ts";
import { isRemote, type RunningMember, type SessionContext } from "../context.ts";
import { sendBody } from "../mail/send.ts";
import { answerRemote, tellRules } from "./remoteRequests.ts";
import { asksFor, decisionEvent, requestBody, requestEvent } from "./requestEntry.ts";
import type { Decided, RequestJournal } from "./requests.ts";

/**
 * Keeps requests and decisions of a session's members in the files: an entry in the lead's inbox that is unread while it
 * waits, the answer in the member's inbox, and a line each in `audit.jsonl`. The lead's own requests are memory and audit
 * only. For a member of this process the answer is a read record that it never acts on; one that is a process of its own
 * made the entry itself, and its answer is sent.
 */
export function createJournal(context: () => SessionContext): RequestJournal {
  const entries = new Map<string, string>();

  async function settleEntry(request: PendingRequest): Promise<void> {
    const entry = entries.get(request.id) ?? waitingEntry(context(), request.id);
    entries.delete(request.id);
    if (entry !== undefined) await context().lead.mailroom?.markRead([entry]);
  }

  return {
    async asked(request) {
      const member = context().teammates.get(request.from);
      await recordAudit(context(), { event: "asked", request });
      // one that is asked again after a restart has its entry
      if (member && context().team && waitingEntry(context(), request.id) === undefined)
        entries.set(request.id, await sendBody(context(), member, LEAD_NAME, requestBody(request)));
      context().events.fire(requestEvent(request));
    },
    async decided(request, decided) {
      await recordAudit(context(), { event: "decided", id: request.id, from: request.from, ...decided });
      await tellRules(context(), request, decided.decision);
      const member = context().teammates.get(request.from);
      if (member && context().team) await giveAnswer(context(), member, request, decided);
      await settleEntry(request);
      context().events.fire(decisionEvent(request.id, decided));
    },
    async withdrawn(request) {
      if (context().suspended) return; // it waits on for the next process
      await recordAudit(context(), { event: "withdrawn", id: request.id, from: request.from });
      await settleEntry(request);
    },
    async refused(id, decision, why) {
      context().options.logger.warn(`An answer to request ${id} was not used: ${why}.`);
      await recordAudit(context(), { event: "refused", id, why, decision });
    },
  };
}

/** Id of the unread entry of a request in the lead's inbox. */
function waitingEntry({ lead }: SessionContext, requestId: string): string | undefined {
  const mail = [...(lead.mailroom?.kept ?? []), ...(lead.mailroom?.toDeliver ?? [])];
  return mail.find(({ content }) => asksFor(content, requestId))?.id;
}

/** For a process member the answer is what counts; for one of this process it is a record of what counted in memory. */
async function giveAnswer(
  context: SessionContext,
  member: RunningMember,
  request: PendingRequest,
  decided: Decided,
): Promise<void> {
  if (!context.team) return;
  const body = request.kind === "plan" ? planAnswer(context, request, decided) : permissionAnswer(request, decided);
  if (isRemote(member)) return answerRemote(context, member, request, decided.decision, body);
  const draft = { from: LEAD_NAME, text: JSON.stringify(body) };
  await context.options.store.inboxes.appendRecord(context.team.folder, member.member.name, draft);
}

function planAnswer(
  context: SessionContext,
  request: PlanRequest,
  { decision, by }: Decided,
): BodyOf<"plan_approval_response"> {
  const approved = decision.kind === "approve";
  return {
    type: "plan_approval_response",
    requestId: request.id,
    approved,
    ...(decision.kind === "reject" ? { feedback: decision.feedback } : {}),
    timestamp: isoTime(context.options.clock.now()),
    ...(decision.kind === "approve" ? { permissionMode: decision.mode } : {}),
    planDigest: planDigest(request.planContent),
    muster: { by },
  };
}

function permissionAnswer(request: PermissionRequest, { decision, by }: Decided): BodyOf<"permission_response"> {
  const common = {
    tool_use_id: request.toolUseId,
    approved_request: {
      tool_use_id: request.toolUseId,
      tool_name: request.tool,
      input_digest: inputDigest(request.tool, request.input),
    },
    muster: { by },
  };
  if (decision.kind === "allow") {
    const response = { updated_input: decision.updatedInput ?? request.input };
    return { type: "permission_response", request_id: request.id, subtype: "success", response, ...common };
  }
  const reason = decision.kind === "deny" ? decision.reason : undefined;
  return {
    type: "permission_response",
    request_id: request.id,
    subtype: "error",
    error: reason || "Permission denied",
    ...common,
  };
}
