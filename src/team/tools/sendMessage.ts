import type { Tool, ToolOutput } from "../../agent/types.ts";
import { MusterError } from "../../base/errors.ts";
import { isLead, type Member } from "../../protocol/team.ts";
import { SHUTDOWN_AGREED } from "../../protocol/transcript.ts";
import { resolveMember } from "../../store/teamFile.ts";
import { type MemberContext, type RunningMember, teamOf } from "../context.ts";
import { sendAs } from "../mail/send.ts";
import { answerShutdown, requestShutdown } from "../shutdown.ts";
import { type Outgoing, parseOutgoing, sendMessageInputSchema } from "./sendMessageInput.ts";
import { jsonOutput, teamTool } from "./teamTool.ts";

/** SendMessage for one member. */
export function sendMessageTool(context: MemberContext, running: RunningMember): Tool {
  return teamTool({
    name: "SendMessage",
    description: describe(isLead(running.member)),
    inputSchema: sendMessageInputSchema,
    async run(input) {
      const outgoing = parseOutgoing(input);
      return HANDLERS[outgoing.kind](context, running, outgoing as never);
    },
  });
}

type Handler<K extends Outgoing["kind"]> = (
  context: MemberContext,
  running: RunningMember,
  outgoing: Extract<Outgoing, { kind: K }>,
) => Promise<ToolOutput>;

const HANDLERS: { [K in Outgoing["kind"]]: Handler<K> } = {
  message: sendText,
  shutdown_request: sendShutdownRequest,
  shutdown_response: sendShutdownResponse,
  plan_approval_response: sendPlanAnswer,
};

function describe(isLead: boolean): string {
  const own = isLead
    ? 'type "shutdown_request" asks a teammate to stop for good (content: the reason).'
    : 'type "shutdown_response" answers a shutdown_request with its request_id and approve (content: the reason of a refusal).';
  return `Writes to another member of the team: type "message" (the default) with recipient, content and summary; type "broadcast" reaches everybody and costs one run of each: rarely needed; ${own} The message is read when the other is between two runs.`;
}

async function sendText(
  context: MemberContext,
  running: RunningMember,
  outgoing: Extract<Outgoing, { kind: "message" }>,
): Promise<ToolOutput> {
  const sender = running.member.name;
  const { text, summary } = outgoing;
  const routing = { sender, ...(running.member.spec.color ? { senderColor: running.member.spec.color } : {}) };
  if (outgoing.to === null) {
    const recipients = others(context, sender).map((member) => member.name);
    if (recipients.length === 0)
      throw new MusterError("unknown_member", "The message was not sent: the team has no other member.");
    await sendAs(context, running, { to: recipients, text, summary });
    const message = `Message broadcast to ${recipients.length} teammate(s): ${recipients.join(", ")}`;
    return jsonOutput({
      success: true,
      message,
      recipients,
      routing: { ...routing, target: "@team", summary, content: text },
    });
  }
  const to = recipientOf(context, sender, outgoing.to);
  const [sent] = await sendAs(context, running, { to: [to.name], text, summary });
  const target = { target: `@${to.name}`, ...(to.color ? { targetColor: to.color } : {}) };
  return jsonOutput({
    success: true,
    message: `Message sent to ${to.name}'s inbox`,
    msg_id: sent?.msgId,
    routing: { ...routing, ...target, summary, content: text },
  });
}

async function sendShutdownRequest(
  context: MemberContext,
  running: RunningMember,
  outgoing: Extract<Outgoing, { kind: "shutdown_request" }>,
): Promise<ToolOutput> {
  if (!isLead(running.member)) throw new MusterError("not_allowed", "Only the lead can ask a member to shut down.");
  const targets =
    outgoing.to === null
      ? others(context, running.member.name)
      : [recipientOf(context, running.member.name, outgoing.to)];
  const results: { target: string; request_id: string }[] = [];
  for (const { name } of targets)
    results.push({ target: name, request_id: await requestShutdown(context, running, name, outgoing.reason) });
  const [only] = results;
  if (results.length === 1 && only) {
    return jsonOutput({
      success: true,
      message: `Shutdown request sent to ${only.target}. Request ID: ${only.request_id}`,
      ...only,
    });
  }
  return jsonOutput({
    success: true,
    message: `Shutdown requests sent to ${results.length} teammate(s)`,
    requests: results,
  });
}

async function sendShutdownResponse(
  context: MemberContext,
  running: RunningMember,
  outgoing: Extract<Outgoing, { kind: "shutdown_response" }>,
): Promise<ToolOutput> {
  const { requestId, approve, reason } = outgoing;
  if (isLead(running.member)) throw new MusterError("not_allowed", "The lead does not answer shutdown requests.");
  if (!approve && reason.trim() === "")
    throw new MusterError("usage", "The answer was not sent: say in content why you refuse.");
  if (!(await answerShutdown(context, running, { requestId, approve, reason }))) {
    throw new MusterError("not_allowed", `There is no open shutdown request ${JSON.stringify(requestId)} for you.`);
  }
  const message = approve ? "Shutdown approved. You end now." : "Shutdown refused. The lead is told the reason.";
  return {
    ...jsonOutput({ success: true, message, request_id: requestId }),
    ...(approve ? { endRun: SHUTDOWN_AGREED } : {}),
  };
}

async function sendPlanAnswer(
  context: MemberContext,
  running: RunningMember,
  outgoing: Extract<Outgoing, { kind: "plan_approval_response" }>,
): Promise<ToolOutput> {
  const { requestId, approve, feedback } = outgoing;
  const { approvalTarget, afterPlanMode } = context.options.settings;
  if (!isLead(running.member) || approvalTarget !== "lead") {
    throw new MusterError("not_allowed", "Plans of this team are decided by the person, not by a member.");
  }
  const decision = approve
    ? ({ kind: "approve", mode: afterPlanMode } as const)
    : ({ kind: "reject", feedback } as const);
  const result = await context.requests.decide(requestId, decision, "policy");
  if (result !== "decided")
    throw new MusterError("not_allowed", `There is no open plan request ${JSON.stringify(requestId)}.`);
  return jsonOutput({ success: true, message: approve ? "Plan approved" : "Plan sent back", request_id: requestId });
}

function others(context: MemberContext, sender: string): Member[] {
  return teamOf(context).watch.snapshot.config.members.filter((member) => member.name !== sender);
}

function recipientOf(context: MemberContext, sender: string, given: string): Member {
  const { folder, watch } = teamOf(context);
  const member = resolveMember(folder, watch.snapshot.config, given);
  if (member.name === sender)
    throw new MusterError("not_allowed", "The message was not sent: you cannot write to yourself.");
  return member;
}
