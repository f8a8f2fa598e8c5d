import type { Clock } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import { inboxFileName } from "../../protocol/names.ts";
import { type Presence, SUSPECT_AFTER_MS } from "../../protocol/team.ts";
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
  // read anew each time: it may have shown itself for the first time after the snapshot was made
  const read = async () => team && (await options.store.presence.read(team.folder, inboxFileName(member.name)));
  const known = await read();
  const isElsewhere = known !== null && (await options.store.processes.state(known)) === "unknown";
  // one of another host may have ended just after its last beat
  const patienceMs = isElsewhere ? GONE_MS + SUSPECT_AFTER_MS : GONE_MS;
  await untilEarlierIsGone(options, member.name, read, patienceMs, lifetime.signal);
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
 * Whether a presence is that of a process of its own which runs, as far as can be known: one of another host, whose
 * processes cannot be seen, does for a while after its last beat. Without a nonce it was its lead that ran the member.
 */
export async function hasOwnProcess(
  { store, clock }: { store: Store; clock: Clock },
  presence: Presence | null,
): Promise<boolean> {
  if (presence?.nonce === undefined) return false;
  const state = await store.processes.state(presence);
  return state === "unknown" ? clock.now() - presence.beat < SUSPECT_AFTER_MS : state === "alive";
}

/**
 * Waits, `patienceMs` at most, until the process that a member's presence names is gone: two processes of one member would
 * both answer its mail. `read`: that presence as it stands now. Throws `not_ready` where the process stays.
 */
export async function untilEarlierIsGone(
  ports: { store: Store; clock: Clock },
  name: string,
  read: () => Promise<Presence | null>,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = ports;
  for (const end = clock.now() + patienceMs; ; await clock.sleep(200, signal)) {
    const presence = await read();
    if (!presence || !(await hasOwnProcess(ports, presence))) return;
    if (clock.now() > end) throw runsAlready(name, presence);
  }
}
