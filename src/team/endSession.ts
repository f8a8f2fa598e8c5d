import { isoTime, settledWithin } from "../base/clock.ts";
import { errorMessage } from "../base/errors.ts";
import { STOP_REASONS } from "../protocol/stopReasons.ts";
import { SHUTDOWN_AGREED } from "../protocol/transcript.ts";
import type { SessionContext } from "./context.ts";
import type { Crew } from "./crew.ts";
import { finishLeavings } from "./leaving.ts";
import { writeEnd } from "./presence.ts";
import { askToStop } from "./shutdown.ts";
import { sessionSummary } from "./summary.ts";
import type { SessionSummary } from "./types.ts";

/** What ending needs of the session. */
export interface EndPorts {
  stopLead(): Promise<void>;
  crew: Pick<Crew, "handles" | "close" | "endAll">;
}

/**
 * Ends a session in order: the lead stops, every teammate is asked to shut down, and ended when it has not agreed after
 * `graceMs`. The team's files stay; the lease is given back in any case.
 */
export async function endSession(
  context: SessionContext,
  how: { graceMs: number; interrupted: boolean },
  ports: EndPorts,
): Promise<SessionSummary> {
  try {
    return await endMembers(context, how, ports);
  } finally {
    await releaseTeam(context);
  }
}

async function endMembers(
  context: SessionContext,
  how: { graceMs: number; interrupted: boolean },
  ports: EndPorts,
): Promise<SessionSummary> {
  context.ends = true;
  await writeEnd(context, context.lead); // a host that goes away in the middle of it leaves a team that the person has ended
  const failure = leadFailure(context);
  for (const { member } of context.teammates.values()) {
    if (member.state === "failed") context.failures.set(member.name, member.view().reason ?? "no reason given");
  }
  ports.crew.close();
  await ports.stopLead();
  const handles = [...ports.crew.handles];
  const graceful = how.graceMs > 0 && !context.pauses.team ? handles : []; // nobody who is held can agree
  await Promise.all(graceful.map(([{ member }]) => ask(context, member.name)));
  const exits = handles.map(([, { exited }]) => exited);
  if (graceful.length > 0) await settledWithin(context.options.clock, exits, how.graceMs);
  await ports.crew.endAll("it had not agreed to stop");
  await finishLeavings(context);
  context.lead.lifetime.abort();
  const summary = await sessionSummary(context, { interrupted: how.interrupted, failure });
  await tellEnd(context);
  return summary;
}

/** Keeps in the files that the lead ended, and did not go away with its host. What cannot be kept is logged. */
async function tellEnd(context: SessionContext): Promise<void> {
  await writeEnd(context, context.lead);
  const { owner } = context.lead;
  if (!("leadSession" in owner)) return;
  const { store, clock, logger } = context.options; // no presence tells of a lead without a team
  const end = { kind: "run_end", at: isoTime(clock.now()), outcome: "ended", reason: SHUTDOWN_AGREED } as const;
  await store.transcripts
    .append(owner, end)
    .catch((error: unknown) => logger.warn(`The end of the lead was not kept: ${errorMessage(error)}`));
}

/** Stops watching the team's files and gives the lease up. */
export async function releaseTeam(context: SessionContext): Promise<void> {
  if (!context.team) return;
  context.team.watch.dispose();
  await release(context, context.team.folder);
}

/** A lease that stays behind names a process that is gone: that costs the next lead nothing. */
async function release(context: SessionContext, team: string): Promise<void> {
  try {
    await context.options.store.leads.release(team, context.id);
  } catch (error) {
    context.options.logger.warn(`The lead's lease was not given back: ${errorMessage(error)}`);
  }
}

async function ask(context: SessionContext, name: string): Promise<void> {
  try {
    await askToStop(context, name, STOP_REASONS.over);
  } catch (error) {
    context.options.logger.warn(`${name} could not be asked to shut down: ${errorMessage(error)}`);
  }
}

function leadFailure(context: SessionContext): string | null {
  const { state, reason } = context.lead.member.view();
  return state === "failed" ? (reason ?? "The lead failed.") : null;
}
