import type { RunOutcome } from "../agent/types.ts";
import { isoTime } from "../base/clock.ts";
import type { BodyOf } from "../protocol/messageBody.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { failedCalls, type TranscriptRecord } from "../protocol/transcript.ts";
import type { MemberContext, RunningMember } from "./context.ts";
import { sendBody } from "./mail/send.ts";
import type { TeamWatch } from "./teamWatch.ts";
import { INTERRUPTED_WAIT, idleWait, taskOverview } from "./views/idleWait.ts";

/** Tells the lead that a teammate's run is over. Never sent for a run that ended in an agreed shutdown. */
export async function notifyIdle(
  context: MemberContext,
  running: RunningMember,
  outcome: RunOutcome,
  run: readonly TranscriptRecord[],
): Promise<void> {
  if (!context.team) return;
  const { member } = running;
  const now = isoTime(context.options.clock.now());
  const body: BodyOf<"idle_notification"> = {
    type: "idle_notification",
    from: member.name,
    timestamp: now,
    idleReason: idleReason(outcome),
    ...peerSummary(run),
    ...completedTask(run),
    ...(outcome.kind === "failed" ? { failureReason: outcome.failure.message } : {}),
    ...(outcome.kind === "ended" && outcome.by === "limit" ? { failureReason: outcome.reason } : {}),
    ...(await waitsFor(context.team.watch, member.name, idleReason(outcome))),
  };
  await sendBody(context, running, LEAD_NAME, body);
}

/** What the member waits for now. The tasks are read anew: the run may have changed them a moment ago. */
async function waitsFor(
  watch: TeamWatch,
  name: string,
  reason: ReturnType<typeof idleReason>,
): Promise<{ muster?: { waitsFor: string } }> {
  if (reason === "failed") return {};
  if (reason === "interrupted") return { muster: { waitsFor: INTERRUPTED_WAIT } };
  const { graph } = await watch.refresh();
  return { muster: { waitsFor: idleWait(name, taskOverview(graph)) } };
}

function idleReason(outcome: RunOutcome): "available" | "interrupted" | "failed" {
  switch (outcome.kind) {
    case "aborted":
      return "interrupted";
    case "failed":
      return "failed";
    case "ended":
      return outcome.by === "limit" ? "failed" : "available";
    case "completed":
      return "available";
  }
}

/** `[to bob] Summary` when the run wrote to a peer (not to the lead). */
function peerSummary(run: readonly TranscriptRecord[]): { summary?: string } {
  const call = toolUses(run).findLast(
    ({ name, input }) =>
      name === "SendMessage" && recipient(input) !== LEAD_NAME && typeof input["summary"] === "string",
  );
  return call ? { summary: `[to ${recipient(call.input)}] ${String(call.input["summary"])}` } : {};
}

function completedTask(run: readonly TranscriptRecord[]): { completedTaskId?: string; completedStatus?: string } {
  const call = toolUses(run).findLast(({ name, input }) => name === "TaskUpdate" && input["status"] === "completed");
  return call ? { completedTaskId: String(call.input["taskId"]), completedStatus: "resolved" } : {};
}

function recipient(input: Record<string, unknown>): string {
  const to = input["recipient"] ?? input["to"];
  return typeof to === "string" ? to : LEAD_NAME;
}

/** Calls of the run whose result was no error. */
function toolUses(run: readonly TranscriptRecord[]): { name: string; input: Record<string, unknown> }[] {
  const failed = failedCalls(run);
  return run.flatMap((record) =>
    record.kind === "reply"
      ? record.content.flatMap((block) => (block.type === "tool_use" && !failed.has(block.id) ? [block] : []))
      : [],
  );
}
