import { isBusy } from "../protocol/team.ts";
import { wouldClaim } from "./claim.ts";
import { isRemote, type RunningMember, type SessionContext } from "./context.ts";
import { isAwaited } from "./leaving.ts";
import { INTERRUPTED } from "./restState.ts";

/**
 * Whether the team is at rest: not paused, no teammate being started again, working, taking up a task or going, no request
 * waiting, no unread mail of a teammate, no task that one of them would claim by itself. Reads the files before it says yes.
 */
export async function isTeamAtRest(context: SessionContext): Promise<boolean> {
  if (!isQuiet(context)) return false;
  if (!context.team) return true;
  await Promise.all([context.lead, ...context.teammates.values()].map(async (running) => running.mailroom?.check()));
  await context.team.watch.refresh();
  return isQuiet(context) && !living(context).some((running) => hasWork(context, running));
}

/**
 * Names of the teammates that the person interrupted at terminals of their own, and that nobody has written to since. One
 * that is not heard of, as after a laptop has slept, is still among them.
 */
export function awaitedWords({ teammates }: SessionContext): string[] {
  const awaited = [...teammates.values()].filter((running) => isRemote(running) && wasInterrupted(running));
  return awaited.map(({ member }) => member.name);
}

function wasInterrupted({ member, transcript }: RunningMember): boolean {
  const { state, reason } = member.view();
  if (state === "idle") return reason === INTERRUPTED;
  const last = transcript.at(-1);
  return state === "suspect" && last?.kind === "run_end" && last.outcome === "aborted";
}

function isQuiet(context: SessionContext): boolean {
  return (
    !context.resuming &&
    context.pauses.team === null &&
    context.requests.pending.length === 0 &&
    ![...context.leaving.values()].some(isAwaited) &&
    !living(context).some(
      ({ member, lifetime, takesTask }) => isBusy(member.state) || takesTask || lifetime.signal.aborted,
    )
  );
}

/** Without those that are gone and could not be taken out of the team yet. */
function living({ teammates, leaving }: SessionContext): RunningMember[] {
  return [...teammates.values()].filter((running) => leaving.get(running.member.name)?.running !== running);
}

function hasWork(context: SessionContext, running: RunningMember): boolean {
  const inbox = isRemote(running) ? context.team?.watch.snapshot.inboxes.get(running.member.name) : undefined;
  if (inbox?.entries.some(({ read }) => !read)) return true;
  return (running.mailroom?.toDeliver.length ?? 0) > 0 || (running.claims && wouldClaim(context, running));
}
