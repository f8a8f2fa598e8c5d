import { createRecorder } from "../agent/recorder.ts";
import { SHUTDOWN_AGREED } from "../protocol/transcript.ts";
import type { MemberContext, RunningMember } from "./context.ts";
import { mailInputs } from "./mail/mailInputs.ts";
import { handleEvent } from "./memberRun.ts";
import { answerShutdown } from "./shutdown.ts";

/**
 * A member whose model cannot be asked (its API is down, its context is full) agrees by itself to the shutdown requests
 * that its lead wrote. False: there is none. Its transcript tells what it agreed to, and that it ended with that.
 */
export async function agreeWithoutModel(context: MemberContext, running: RunningMember): Promise<boolean> {
  const ids = [...running.shutdownRequests];
  if (ids.length === 0) return false;
  const record = createRecorder(running.transcript, {
    emit: (event) => handleEvent(context, running, event),
    now: () => context.options.clock.now(),
  });
  const requests = running.mailroom?.toDeliver.filter(
    ({ authority, content }) => authority === "lead" && content.kind === "shutdown_request",
  );
  for (const input of mailInputs(requests ?? [])) await record({ kind: "input", ...input });
  for (const requestId of ids) await answerShutdown(context, running, { requestId, approve: true, reason: "" });
  await record({ kind: "run_end", outcome: "ended", reason: SHUTDOWN_AGREED });
  return true;
}
