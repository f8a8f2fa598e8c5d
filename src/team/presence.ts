import { untilNext } from "../base/clock.ts";
import { errorMessage } from "../base/errors.ts";
import { isLead, type Presence } from "../protocol/team.ts";
import { totalTokens } from "../protocol/transcript.ts";
import type { MemberContext, RunningMember, SessionContext } from "./context.ts";

const BEAT_MS = 5_000;

/**
 * Tells other readers of the files how a member is that this process runs: of one whose inbox it does not read, another
 * process writes that, or did and may not be gone yet. Failures are logged: nothing depends on it.
 */
export function writePresence(context: MemberContext, running: RunningMember): void {
  if (!context.team || !running.mailroom || running.lifetime.signal.aborted) return;
  void write(context, context.team.folder, running.member.name, presenceOf(context, running));
}

/** Writes the presence of a lead or a teammate's own process that ends in order, first or last time. Never rejects. */
export async function writeEnd(context: MemberContext, running: RunningMember): Promise<void> {
  if (!context.team) return;
  await write(context, context.team.folder, running.member.name, presenceOf(context, running));
}

function presenceOf(context: MemberContext, { member, ...running }: RunningMember): Presence {
  const { state, since, reason, usage, mode } = member.view();
  const { store, clock } = context.options;
  return {
    incarnation: running.incarnation,
    state,
    since,
    beat: clock.now(),
    ...store.process,
    ...(reason === null ? {} : { reason }),
    tokens: totalTokens(usage),
    ...(running.nonce === null ? {} : { nonce: running.nonce }),
    mode,
    fixed: member.permission.fixed,
    ...(isLead(member) && context.delegates ? { delegates: true } : {}),
    ...(context.ends && (isLead(member) || running.nonce !== null) ? { ended: true } : {}),
    ...(running.planFile === null ? {} : { planFile: running.planFile }),
    ...(running.modeBeforePlan === null ? {} : { modeBeforePlan: running.modeBeforePlan }),
  };
}

async function write({ options }: MemberContext, team: string, name: string, presence: Presence): Promise<void> {
  try {
    await options.store.presence.write(team, name, presence);
  } catch (error) {
    options.logger.debug(`Presence of ${name} was not written: ${errorMessage(error)}`);
  }
}

/** What the next process of a member goes on from, of what an earlier one of this incarnation showed. */
export function passedOn(
  known: Presence | null,
  incarnation: string,
): Pick<Presence, "tokens" | "mode" | "fixed" | "planFile" | "modeBeforePlan"> {
  if (known?.incarnation !== incarnation) return {};
  const { tokens, mode, fixed, planFile, modeBeforePlan } = known;
  return { tokens, mode, fixed, planFile, modeBeforePlan };
}

/** Says that this process still leads its team. */
export async function renewLease(context: SessionContext): Promise<void> {
  if (!context.team) return;
  const { store, logger } = context.options;
  await store.leads
    .renew(context.team.folder, context.id)
    .catch((error: unknown) => logger.warn(`The lead's lease was not renewed: ${errorMessage(error)}`));
}

/** Writes every member's presence now and about every 5 s until `signal` aborts; `also` is done with it. */
export async function beat(
  context: MemberContext,
  members: () => readonly RunningMember[],
  also: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const running of members()) writePresence(context, running);
    await also();
    const { clock } = context.options;
    await clock.sleep(untilNext(BEAT_MS, clock.now()), signal).catch(() => undefined); // the loop's condition ends it
  }
}
