import { isAborted } from "../../base/abort.ts";
import type { Decision, PendingRequest } from "../../protocol/request.ts";
import type { MemberContext, RunningMember } from "../context.ts";

/** Why a request was not decided, as its member is told. */
export interface Undecided {
  undecided: string;
}

/**
 * Asks for a decision and waits for it: the member is `waiting` meanwhile, for the reason `waitsFor`. Not decided are
 * requests of an interrupted run (`signal`), and those of a member that the person has asked to stop. `earlier`: one of
 * before a restart, which is taken back where it is not asked again. `what` completes the sentence "nobody decided on …".
 */
export async function awaitDecision(
  context: MemberContext,
  running: RunningMember,
  { request, earlier }: { request: PendingRequest; earlier: PendingRequest | undefined },
  told: { waitsFor: string; what: string },
  signal: AbortSignal,
): Promise<Decision | Undecided> {
  const { member, undecided } = running;
  const over = AbortSignal.any([signal, undecided.signal]);
  member.setState("waiting", told.waitsFor);
  try {
    if (earlier && (earlier.id !== request.id || over.aborted)) await context.requests.withdraw(earlier);
    const { decision } = await context.requests.ask(request, over);
    return decision;
  } catch (error) {
    if (!isAborted(error)) throw error;
    return {
      undecided: signal.aborted
        ? `The run was interrupted before anybody decided on ${told.what}.`
        : `Nobody decides on ${told.what} any more: you are asked to shut down. End your turn now; the request to shut down follows.`,
    };
  } finally {
    const stillAsks = context.requests.pending.some(({ from }) => from === member.name); // of calls side by side
    if (member.state === "waiting" && !stillAsks) member.setState("working");
  }
}
