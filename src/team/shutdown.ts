import { isoTime } from "../base/clock.ts";
import { shutdownRequestId } from "../protocol/ids.ts";
import type { BodyOf, ProtocolBody } from "../protocol/messageBody.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import type { MemberContext, RunningMember, SessionContext } from "./context.ts";
import { sendBody } from "./mail/send.ts";

/** Asks a teammate, in the lead's name, to shut down. Returns the id that its answer carries. `marks`: what only ours reads. */
export async function requestShutdown(
  context: MemberContext,
  lead: RunningMember,
  name: string,
  reason: string,
  marks: Pick<BodyOf<"shutdown_request">, "muster"> = {},
): Promise<string> {
  const now = context.growing(context.options.clock.now());
  const requestId = shutdownRequestId(now, name);
  await sendBody(
    context,
    lead,
    name,
    { type: "shutdown_request", requestId, from: LEAD_NAME, reason, timestamp: isoTime(now), ...marks },
    { mustArrive: true },
  );
  return requestId;
}

/**
 * The person ends a teammate's work: it is asked to shut down, and a request of it that waits is withdrawn, so that it
 * can answer at once. One that is a process of its own reads that in the request.
 */
export async function askToStop(context: SessionContext, name: string, reason: string): Promise<void> {
  await requestShutdown(context, context.lead, name, reason, { muster: { undecided: true } });
  context.teammates.get(name)?.undecided.abort();
}

/**
 * A teammate's answer. Only a request that its lead wrote and that is in its transcript can be answered; returns false
 * for every other id. Throws where it could not be sent: then it can be given again.
 */
export async function answerShutdown(
  context: MemberContext,
  running: RunningMember,
  answer: { requestId: string; approve: boolean; reason: string },
): Promise<boolean> {
  if (!running.shutdownRequests.delete(answer.requestId)) return false;
  const common = { requestId: answer.requestId, from: running.member.name };
  const entry = context.team?.watch.snapshot.config.members.find(({ name }) => name === running.member.name);
  const timestamp = isoTime(context.options.clock.now());
  const body: ProtocolBody = answer.approve
    ? {
        type: "shutdown_approved",
        ...common,
        timestamp,
        paneId: entry?.tmuxPaneId ?? "", // as the reference: from its own entry
        backendType: running.member.spec.backend,
      }
    : { type: "shutdown_rejected", ...common, reason: answer.reason, timestamp };
  try {
    await sendBody(context, running, LEAD_NAME, body, { mustArrive: true });
  } catch (error) {
    running.shutdownRequests.add(answer.requestId);
    throw error;
  }
  if (!answer.approve) running.undecided = new AbortController();
  return true;
}
