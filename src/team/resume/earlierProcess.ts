import type { Clock } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Presence } from "../../protocol/team.ts";
import type { ProcessIdentity } from "../../store/processIdentity.ts";
import type { Store } from "../../store/store.ts";
import type { RunningMember, SessionContext } from "../context.ts";

/** A process that ends with its lead has this time for it, in ms. */
const GONE_MS = 15_000;

/** Before a lead starts a teammate, wherever: a process that an earlier lead started for it may still end. */
export async function untilEarlierEnds(
  { options, team }: SessionContext,
  { member, lifetime }: RunningMember,
): Promise<void> {
  // read anew: it may have shown itself for the first time after the snapshot was made
  const presence = team && (await options.store.presence.read(team.folder, inboxFileName(member.name)));
  if (presence?.nonce === undefined) return; // it ran in its lead's own process, whose lease has ended
  await untilEarlierIsGone(options, member.name, presence, GONE_MS, lifetime.signal);
}

/**
 * Whether the process of a presence runs that member now. One of its own does for as long as it lives, and shows a nonce;
 * a lead's process runs members while it leads, and lives on as a window that leads nothing.
 */
export async function isStillRun(
  { leads, processes }: Pick<Store, "leads" | "processes">,
  team: string,
  presence: Presence,
): Promise<boolean> {
  if ((await processes.state(presence)) !== "alive") return false;
  if (presence.nonce !== undefined) return true;
  const lease = await leads.read(team);
  return lease !== null && sameProcess(lease, presence);
}

/** Whether two records name one process. */
export function sameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.pid === other.pid && one.host === other.host && one.startTime === other.startTime;
}

/** What to do about a member that runs already. */
export function runsAlready(name: string, { pid }: Presence): MusterError {
  return new MusterError("not_ready", `${name} still runs in process ${pid}: end that one first.`);
}

/**
 * Waits, `patienceMs` at most, until the process that a presence names is gone: two processes of one member would both
 * answer its mail. Throws `not_ready` where it stays.
 */
export async function untilEarlierIsGone(
  { store, clock }: { store: Store; clock: Clock },
  name: string,
  presence: Presence,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const end = clock.now() + patienceMs; (await store.processes.state(presence)) === "alive"; ) {
    if (clock.now() > end) throw runsAlready(name, presence);
    await clock.sleep(200, signal);
  }
}
