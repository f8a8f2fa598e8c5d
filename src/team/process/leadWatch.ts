import type { LeadLease } from "../../store/leadStore.ts";
import { signalReaches } from "../../store/processIdentity.ts";
import type { Store } from "../../store/store.ts";
import type { MemberContext } from "../context.ts";
import { sameProcess } from "../resume/earlierProcess.ts";
import type { SpawnFile } from "./spawnFile.ts";

/** How often a process member looks whether its lead's process lives, in ms. */
const LOOK_MS = 1_000;
/**
 * At every so many looks it reads who leads, and of that process more than that its number is taken: files cost much of
 * what a waiting member costs at all.
 */
const LOOKS_PER_READ = 2;
/** How often it looks once nobody seems to lead, in ms: what is left behind is to be gone soon. */
const ALONE_LOOK_MS = 300;
/** How long it may be without a lead, in ms. */
const ORPHAN_MS = 1_500;

/** Why a teammate's process goes away: nobody leads the team any more, or somebody does now who runs it there. */
export type LeadChange = "lead_gone" | "led";

/** What of a member's process is needed here. */
interface Watching {
  options: Pick<MemberContext["options"], "store" | "clock" | "logger">;
  team: { folder: string } | null;
}

/**
 * Resolves once the process that started this one has not led its session for a moment: it has ended, or another one took
 * the team over, which starts its members itself; to null when `signal` aborts. With `lead` null it waits for `signal`
 * alone.
 */
export async function untilNobodyLeads(
  context: Watching,
  lead: SpawnFile["lead"] | null,
  signal: AbortSignal,
): Promise<LeadChange | null> {
  const { store, clock, logger } = context.options;
  let alone: number | null = null;
  let lease: LeadLease | null = null;
  for (let looks = 0; !signal.aborted; looks += 1) {
    await clock.sleep(alone === null ? LOOK_MS : ALONE_LOOK_MS, signal).catch(() => undefined); // the loop's condition ends it
    if (lead === null || signal.aborted || !context.team) continue;
    if (looks % LOOKS_PER_READ !== 0 && alone === null && isThere(lease, store)) continue;
    try {
      const now = await store.leads.read(context.team.folder);
      lease = now;
      const isItsLead = now?.sessionId === lead.session && sameProcess(now, lead.process);
      const led = isItsLead && (await store.leads.isLive(now));
      alone = led ? null : (alone ?? clock.now());
    } catch (error) {
      logger.debug("Nobody can tell who leads the team.", error);
    }
    if (alone !== null && clock.now() - alone >= ORPHAN_MS) return "lead_gone";
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
    await clock.sleep(LOOK_MS, signal).catch(() => undefined); // the loop's condition ends it
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

function isThere(lease: LeadLease | null, store: Store): boolean {
  return lease !== null && lease.host === store.process.host && signalReaches(lease.pid);
}
