import { untilNext } from "../../base/clock.ts";
import type { LeadLease } from "../../store/leadStore.ts";
import type { MemberContext } from "../context.ts";
import { sameProcess } from "../resume/earlierProcess.ts";
import type { SpawnFile } from "./spawnFile.ts";

/**
 * How often a process member looks whether its lead's process lives, and who leads, in ms. Each look wakes a process that
 * waits, which costs more than what it does then.
 */
const LOOK_MS = 2_500;
/** How often it looks once nobody seems to lead, in ms: what is left behind is to be gone soon. */
const ALONE_LOOK_MS = 300;
/** So many looks in a row must find no lead while the process that started it lives. */
const ALONE_LOOKS = 4;

/** Why a teammate's process goes away: nobody leads the team any more, or somebody does now who runs it there. */
export type LeadChange = "lead_gone" | "led";

/** What of a member's process is needed here. */
interface Watching {
  options: Pick<MemberContext["options"], "store" | "clock" | "logger">;
  team: { folder: string } | null;
}

/**
 * Resolves once the process that started this one is gone, or has not led its session for a moment: another one took the
 * team over, which starts its members itself; to null when `signal` aborts.
 */
export async function untilNobodyLeads(
  context: Watching,
  lead: Pick<SpawnFile["lead"], "session" | "process">,
  signal: AbortSignal,
): Promise<LeadChange | null> {
  const { store, clock, logger } = context.options;
  let alone = 0;
  while (!signal.aborted) {
    const wait = alone === 0 ? untilNext(LOOK_MS, clock.now()) : ALONE_LOOK_MS;
    await clock.sleep(wait, signal).catch(() => undefined); // the loop's condition ends it
    if (signal.aborted || !context.team) continue;
    try {
      // asked at every look: one that waits to be reaped is dead too, and its number may be another's by now
      const state = await store.processes.state(lead.process);
      if (state === "dead") return "lead_gone";
      const now = await store.leads.read(context.team.folder);
      const isItsLead = now?.sessionId === lead.session && sameProcess(now, lead.process);
      alone = isItsLead && (state === "alive" || (await store.leads.isLive(now))) ? 0 : alone + 1;
    } catch (error) {
      logger.debug("Nobody can tell who leads the team.", error);
    }
    if (alone === ALONE_LOOKS) return "lead_gone";
  }
  return null;
}

/**
 * For one that no lead started: resolves once somebody else leads than when it began (`first`; null: nobody), for that one
 * waits to run it; to null when `signal` aborts.
 */
export async function untilAnotherLeads(
  context: Watching,
  first: LeadLease | null,
  signal: AbortSignal,
): Promise<LeadChange | null> {
  const { store, clock, logger } = context.options;
  while (!signal.aborted) {
    await clock.sleep(untilNext(LOOK_MS, clock.now()), signal).catch(() => undefined); // the loop's condition ends it
    if (signal.aborted || !context.team) continue;
    try {
      const lease = await store.leads.read(context.team.folder);
      const isFirst = first !== null && lease !== null && lease.since === first.since && sameProcess(lease, first);
      if (lease && !isFirst && (await store.leads.isLive(lease))) return "led";
    } catch (error) {
      logger.debug("Nobody can tell who leads the team.", error);
    }
  }
  return null;
}
