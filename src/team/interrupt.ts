import { MusterError } from "../base/errors.ts";
import type { BodyOf } from "../protocol/messageBody.ts";
import { inboxFileName, LEAD_NAME } from "../protocol/names.ts";
import { isRemote, type RunningMember, type SessionContext } from "./context.ts";
import { sendBody } from "./mail/send.ts";

/**
 * Ends the run of a member that goes on, if one does; the member goes idle. A process of ours is told through its inbox,
 * signed. Throws `not_allowed` for a program that is not ours: it would read that as a text.
 */
export async function interruptMember(context: SessionContext, running: RunningMember): Promise<void> {
  if (!isRemote(running)) {
    running.interrupt?.abort();
    return;
  }
  if (running.nonce === null) return; // its process is not started yet
  const { name, spec } = running.member;
  const presence = context.team?.watch.snapshot.presence.get(inboxFileName(name));
  if (!context.keys.has(name) || presence?.nonce !== running.nonce)
    throw new MusterError("not_allowed", `${spec.displayName} runs another program: interrupt it in its terminal.`);
  const body: BodyOf<"interrupt_request"> = { type: "interrupt_request", from: LEAD_NAME };
  await sendBody(context, context.lead, name, body, { mustArrive: true });
}
