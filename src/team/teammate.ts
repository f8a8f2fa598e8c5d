import type { AgentInput, RunOutcome, Tool } from "../agent/types.ts";
import { isAborted } from "../base/abort.ts";
import { SHUTDOWN_AGREED } from "../protocol/transcript.ts";
import { claimNext, FreedTasks, taskInput } from "./claim.ts";
import type { MemberContext, RunningMember } from "./context.ts";
import { notifyIdle } from "./idle.ts";
import { mailInputs } from "./mail/mailInputs.ts";
import { runMember, takeWords } from "./memberRun.ts";
import { restState } from "./restState.ts";
import { agreeWithoutModel } from "./shutdownWithoutModel.ts";
import { waitUntil } from "./waitUntil.ts";

/** How a teammate's life ended. */
export type TeammateEnd = "shutdown" | "ended";

/**
 * A teammate's life: wait for something to do, run, tell the lead, wait again. Its prompt is the first entry of its
 * inbox. Ends after an agreed shutdown, or when `signal` aborts. Where its last run failed it agrees without its model.
 */
export async function runTeammate(
  context: MemberContext,
  running: RunningMember,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<TeammateEnd> {
  const freed = new FreedTasks();
  let isDown = hasFailed(running);
  try {
    for (;;) {
      const inputs =
        takeUp(running) ??
        (await waitUntil(() => nextInputs(context, running, freed), [context.changes.event], signal));
      if (isDown && (await agreeWithoutModel(context, running))) return "shutdown";
      const start = running.transcript.length;
      const outcome = await runMember(context, running, tools, inputs, signal);
      if (outcome.kind === "ended" && outcome.by === "tool" && outcome.reason === SHUTDOWN_AGREED) return "shutdown";
      if (signal.aborted) return "ended";
      isDown = outcome.kind === "failed";
      if (isDown && (await agreeWithoutModel(context, running))) return "shutdown";
      await notifyIdle(context, running, outcome, running.transcript.slice(start));
      rest(running, outcome);
    }
  } catch (error) {
    if (isAborted(error)) return "ended";
    throw error;
  }
}

/** Whether a member that goes on failed in its last run. */
function hasFailed({ transcript }: RunningMember): boolean {
  const last = transcript.at(-1);
  return last?.kind === "run_end" && last.outcome === "failed";
}

/** What a member that an earlier process ran goes on with, once. */
function takeUp(running: RunningMember): readonly AgentInput[] | null {
  const inputs = running.takesUp;
  running.takesUp = null;
  return inputs;
}

/** Typed words and messages first, in their order; then an own task that became free; then a free task nobody owns. */
async function nextInputs(
  context: MemberContext,
  running: RunningMember,
  freed: FreedTasks,
): Promise<AgentInput[] | undefined> {
  if (context.holdOf(running.member.name)) return undefined;
  const words = takeWords(running);
  const own = freed.take(context, running.member.name);
  if (own) running.takesTask = true;
  const mail = running.mailroom?.toDeliver ?? [];
  const freedInput = own
    ? [taskInput(own, "What blocked this task of yours is completed: set it to in_progress and do it.")]
    : [];
  if (words.length > 0 || mail.length > 0) return [...words, ...mailInputs(mail), ...freedInput];
  if (freedInput.length > 0) return freedInput;
  if (!running.claims || running.member.state === "starting") return undefined;
  const claimed = await claimNext(context, running);
  return claimed ? [claimed] : undefined;
}

/** A member that failed or was interrupted takes nothing up by itself: only a message wakes it. */
function rest(running: RunningMember, outcome: RunOutcome): void {
  const { state, reason } = restState(outcome);
  running.claims = state === "idle" && reason === null;
  running.member.setState(state, reason);
}
