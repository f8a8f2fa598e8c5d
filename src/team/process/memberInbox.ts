import { errorMessage } from "../../base/errors.ts";
import { inputDigest, planDigest } from "../../protocol/digest.ts";
import { type Entry, messageId } from "../../protocol/message.ts";
import { type BodyOf, requestIdOf } from "../../protocol/messageBody.ts";
import { givenModeSchema, resolveMode } from "../../protocol/mode.ts";
import { LEAD_NAME, PERSON_NAME } from "../../protocol/names.ts";
import type { Decision, PendingRequest } from "../../protocol/request.ts";
import { letterMark, type MemberContext, type RunningMember } from "../context.ts";
import type { LeadVerifier } from "../lead/leadSignature.ts";
import { type Authority, type Mail, Mailroom, type Routing } from "../mail/mailroom.ts";
import { setMemberMode } from "../memberMode.ts";

/**
 * Gives a process member its mailroom; nothing of it is read yet. What is typed in its own terminal counts as the person's,
 * everything else as `verifier` says, null: as it stands.
 */
export function openMemberInbox(
  context: MemberContext,
  running: RunningMember,
  verifier: LeadVerifier | null,
): Mailroom {
  const { name } = running.member;
  const authority = createAuthority(name, verifier);
  const isTyped = (entry: Entry, id: string) =>
    entry.from === PERSON_NAME && context.written.get(id) === letterMark(PERSON_NAME, name, entry, null);
  const mailroom = new Mailroom({
    store: context.options.store,
    team: context.team?.folder ?? "",
    agent: name,
    incarnation: running.incarnation,
    logger: context.options.logger,
    authorityOf: (entry, id) => (isTyped(entry, id) ? "person" : authority(entry)),
    route: (mail) => routeForProcess(context, running, mail),
    delivered: running.transcript.flatMap((record) => (record.kind === "input" ? (record.msgIds ?? []) : [])),
  });
  mailroom.onDidChange(() => context.changes.fire());
  running.mailroom = mailroom;
  return mailroom;
}

/**
 * How far a process member trusts an entry of its inbox. With a key only what its lead signed counts as the lead's or
 * the person's. Without one the lead's entries count as they do in the reference, and nothing proves the person's: any
 * program writes those with `muster send`. Asked again, an entry keeps its authority as long as it says the same.
 */
function createAuthority(name: string, verifier: LeadVerifier | null): (entry: Entry) => Authority {
  const known = new Map<string, { mark: string; authority: Authority }>();
  return (entry) => {
    if (entry.from !== LEAD_NAME && entry.from !== PERSON_NAME) return "peer";
    const id = messageId(entry);
    const mark = letterMark(entry.from, name, entry, null);
    const before = known.get(id);
    if (before) return before.mark === mark ? before.authority : "unverified";
    const counts = verifier === null ? entry.from === LEAD_NAME : verifier.accepts(entry);
    const authority = !counts ? "unverified" : entry.from === PERSON_NAME ? "person" : "lead";
    known.set(id, { mark, authority });
    return authority;
  };
}

/**
 * What becomes of an entry in a process member's inbox. Decisions, modes and rules take effect here, once, and only
 * where the lead wrote them; everything else that claims to be the lead's is text for the model, marked as unverified.
 */
function routeForProcess(context: MemberContext, running: RunningMember, mail: Mail): Routing {
  const { content, authority } = mail;
  if (authority !== "lead") return "deliver";
  switch (content.kind) {
    case "permission_response":
      return answer(context, content.body, (request) => permissionDecision(request, content.body));
    case "plan_approval_response":
      return answer(context, content.body, (request) => planDecision(context, request, content.body));
    case "sandbox_permission_response":
      return "done";
    case "mode_set_request": {
      const mode = givenModeSchema.safeParse(content.body.mode).data;
      if (mode !== undefined)
        setMemberMode(context, running, resolveMode(mode), mode === "plan").catch((error: unknown) => {
          context.options.logger.warn(`The mode ${mode} holds, and was not written down: ${errorMessage(error)}`);
        });
      return "done";
    }
    case "interrupt_request":
      running.interrupt?.abort(); // where nothing runs there is nothing to end
      return "done";
    case "team_permission_update":
      takeRules(context, content.body);
      return "done";
    case "shutdown_request": {
      const id = requestIdOf(content.body);
      if (id === undefined) return "deliver";
      running.shutdownRequests.add(id);
      if (content.body.muster?.undecided) running.undecided.abort();
      return "deliver";
    }
    default:
      return "deliver";
  }
}

/** A late, double, unknown or changed answer does nothing and is logged. */
function answer(
  context: MemberContext,
  body: BodyOf<"permission_response" | "plan_approval_response">,
  decisionOf: (request: PendingRequest) => Decision | null,
): Routing {
  const id = requestIdOf(body);
  const request = id === undefined ? undefined : context.requests.find(id);
  const decision = request && decisionOf(request);
  if (!request || !decision) {
    context.options.logger.warn(`An answer to request ${id} was not used: it does not fit what waits.`);
    return "done";
  }
  context.requests.decide(request.id, decision, body.muster?.by ?? "person").catch((error: unknown) => {
    context.options.logger.warn(`The answer to request ${id} was not used: ${errorMessage(error)}`);
  });
  return "done";
}

function permissionDecision(request: PendingRequest, body: BodyOf<"permission_response">): Decision | null {
  if (request.kind !== "permission") return null;
  const bound = body.approved_request?.input_digest;
  if (bound !== undefined && bound !== inputDigest(request.tool, request.input)) return null;
  if (body.subtype !== "success") return body.error ? { kind: "deny", reason: body.error } : { kind: "deny" };
  const updatedInput = body.response?.updated_input;
  const same = updatedInput === undefined || JSON.stringify(updatedInput) === JSON.stringify(request.input);
  return { kind: "allow", scope: "once", ...(same ? {} : { updatedInput }) };
}

function planDecision(
  context: MemberContext,
  request: PendingRequest,
  body: BodyOf<"plan_approval_response">,
): Decision | null {
  if (request.kind !== "plan") return null;
  if (!body.approved) return { kind: "reject", feedback: body.feedback ?? "" };
  if (body.planDigest !== undefined && body.planDigest !== planDigest(request.planContent)) return null;
  const mode = givenModeSchema.safeParse(body.permissionMode).data;
  return { kind: "approve", mode: mode === undefined ? context.options.settings.afterPlanMode : resolveMode(mode) };
}

/** Rules and folders that the person allowed for the session. */
function takeRules(context: MemberContext, body: BodyOf<"team_permission_update">): void {
  const { rules, directories } = body.muster ?? {};
  context.sessionRules.push(...(rules ?? []));
  context.sessionDirectories.push(...(directories ?? []));
}
