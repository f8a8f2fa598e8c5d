import { errorMessage } from "../../base/errors.ts";
import { type ProtocolBody, requestIdOf } from "../../protocol/messageBody.ts";
import type { PermissionMode } from "../../protocol/mode.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { Decision, PendingRequest, PermissionRequest, PlanRequest } from "../../protocol/request.ts";
import { recordAudit } from "../audit.ts";
import { isRemote, type RunningMember, type SessionContext } from "../context.ts";
import { currentTask } from "../currentTask.ts";
import type { Mail } from "../mail/mailroom.ts";
import { sendBody } from "../mail/send.ts";
import { deniedByRule, rememberDecision } from "./authorize.ts";
import { judge } from "./judge.ts";
import { permissionRequest, requestEvent } from "./requestEntry.ts";
import { keptSuggestions, suggestedDirectories, suggestedRules } from "./suggested.ts";

/**
 * Puts the requests of a process member before the person, and takes away those that it has taken back. `seen`: ids of
 * those that were put before.
 */
export function adoptRequests(context: SessionContext, running: RunningMember, seen: Set<string>): void {
  const { name } = running.member;
  const waiting = new Map<string, Mail>();
  for (const mail of context.lead.mailroom?.kept ?? []) {
    const { content } = mail;
    if (mail.entry.from !== name) continue;
    if (content.kind !== "permission_request" && content.kind !== "plan_approval_request") continue;
    const id = requestIdOf(content.body);
    if (id !== undefined) waiting.set(id, mail);
  }
  const failed = (what: string, error: unknown) =>
    context.options.logger.warn(`A request of ${name} cannot be ${what}: ${errorMessage(error)}`);
  for (const request of context.requests.pending)
    if (request.from === name && !waiting.has(request.id))
      context.requests.drop(request.id).catch((error: unknown) => failed("taken back", error));
  for (const [id, mail] of waiting) {
    if (seen.has(id)) continue;
    seen.add(id);
    adopt(context, running, id, mail).catch((error: unknown) => {
      seen.delete(id); // the next look tries again
      failed("shown", error);
    });
  }
}

/**
 * What a rule denies is answered at once: a program that is not Muster's may ask for it all the same. What a rule allows
 * is asked: the member's own program had a reason not to do it.
 */
async function adopt(context: SessionContext, running: RunningMember, id: string, mail: Mail): Promise<void> {
  const found = await requestOf(context, running, id, mail);
  if (!found) return;
  const { request, denied } = found;
  await recordAudit(context, { event: "asked", request });
  if (request.kind === "plan") running.plansSubmitted = request.version;
  if (denied !== null) return context.requests.answer(request, { kind: "deny", reason: denied });
  if (!waits(context, running, mail)) return context.requests.withdraw(request);
  context.requests.adopt(request);
  context.events.fire(requestEvent(request));
}

/** Whether its member is still there, and has not taken the request back. */
function waits({ teammates, lead }: SessionContext, running: RunningMember, { id }: Mail): boolean {
  return teammates.get(running.member.name) === running && (lead.mailroom?.kept ?? []).some((mail) => mail.id === id);
}

/** A request, and why the engine denies what it asks for; null: it does not. */
interface FoundRequest {
  request: PendingRequest;
  denied: string | null;
}

/** The request of an entry: what it would do is judged here, not taken from the member's words. */
async function requestOf(
  context: SessionContext,
  running: RunningMember,
  id: string,
  { entry, content }: Mail,
): Promise<FoundRequest | null> {
  const { member } = running;
  const base = {
    id,
    from: member.name,
    createdAt: Date.parse(entry.timestamp) || context.options.clock.now(),
    task: currentTask(context, member.name)?.id ?? null,
    said: null,
  };
  if (content.kind === "plan_approval_request") {
    const { planFilePath = "", planContent } = content.body;
    const { afterPlanMode: afterMode } = context.options.settings;
    const version = running.plansSubmitted + 1;
    return { request: { ...base, kind: "plan", planFilePath, planContent, version, afterMode }, denied: null };
  }
  if (content.kind !== "permission_request") return null;
  const { tool_name: name, tool_use_id, input } = content.body;
  const call = { id: tool_use_id, name, input };
  const judgement = await judge(context, running, call);
  const request = permissionRequest(base, call, judgement, context.options.cwd);
  return { request, denied: judgement.behavior === "deny" ? deniedByRule(judgement) : null };
}

/** The answer to a request of a process member: what the person allowed for longer is kept first. */
export async function answerRemote(
  context: SessionContext,
  running: RunningMember,
  request: PermissionRequest | PlanRequest,
  decision: Decision,
  body: ProtocolBody,
): Promise<void> {
  if (request.kind === "permission" && decision.kind === "allow" && decision.scope !== "once") {
    const mode = await rememberDecision(context, keptSuggestions(request, decision), decision.scope);
    if (mode !== undefined) await tellMode(context, running, mode);
  }
  await sendBody(context, context.lead, running.member.name, body, { mustArrive: true });
}

/** The member alone has the mode that goes with its answer. */
async function tellMode(context: SessionContext, { member }: RunningMember, mode: PermissionMode): Promise<void> {
  const body: ProtocolBody = { type: "mode_set_request", mode, from: LEAD_NAME };
  await sendBody(context, context.lead, member.name, body, { mustArrive: true });
}

/** Every process member learns what the person allowed for the session, whoever asked. */
export async function tellRules(context: SessionContext, request: PendingRequest, decision: Decision): Promise<void> {
  if (request.kind !== "permission" || decision.kind !== "allow" || decision.scope !== "session") return;
  const suggestions = keptSuggestions(request, decision);
  const muster = { rules: suggestedRules(suggestions), directories: suggestedDirectories(suggestions) };
  if (muster.rules.length + muster.directories.length === 0) return;
  for (const running of context.teammates.values()) {
    if (!isRemote(running)) continue;
    const body: ProtocolBody = { type: "team_permission_update", from: LEAD_NAME, muster };
    await sendBody(context, context.lead, running.member.name, body, { mustArrive: true });
  }
}
