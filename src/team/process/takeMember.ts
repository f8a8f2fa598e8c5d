import { MusterError } from "../../base/errors.ts";
import { newUuid } from "../../protocol/ids.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Member } from "../../protocol/team.ts";
import type { LeadLease } from "../../store/leadStore.ts";
import type { Store } from "../../store/store.ts";
import { passedOn } from "../presence.ts";
import { hasOwnProcess, runsAlready, sameProcess, untilEarlierIsGone } from "../resume/earlierProcess.ts";
import type { MemberProcessOptions } from "./memberProcess.ts";
import type { SpawnFile } from "./spawnFile.ts";

/** A member that this process has taken. */
export interface TakenMember {
  /** What its presence shows until it is ready; of one that no lead started, for good. */
  nonce: string;
  /** Who led the team then; null: nobody. */
  lead: LeadLease | null;
}

/** How long an earlier process of a member may take to end, in ms. */
const GONE_MS = 5_000;

/**
 * Takes a member for this process. Its presence says so, and is written where no other start and no lead can come between:
 * of several at once one gets the member, and who leads next waits for it. Throws `not_ready` where it runs already, the
 * lead of its team runs it, or the one that started this process does not want it any more.
 */
export async function takeMember(options: MemberProcessOptions, entry: Member): Promise<TakenMember> {
  const { store, team, clock, spawned } = options;
  const { name } = entry;
  const read = () => store.presence.read(team, inboxFileName(name));
  // where a lead has started this process, it has waited
  if (!spawned) await untilEarlierIsGone({ store, clock }, name, read, GONE_MS, new AbortController().signal);
  return await store.leads.withLead(team, async (lead) => {
    const known = await read();
    if (known && (await hasOwnProcess({ store, clock }, known))) throw runsAlready(name, known);
    if (spawned) await requireWanted(options, name, spawned, lead);
    else if (lead && isRunByLead(entry, lead, options.parentSession)) throw ledElsewhere(team, name, lead);
    const [nonce, now, incarnation] = [newUuid(), clock.now(), entry.muster?.incarnation ?? ""];
    await store.presence.write(team, name, {
      ...{ incarnation, nonce, state: "starting", since: now, beat: now, ...store.process },
      ...passedOn(known, incarnation),
    });
    return { nonce, lead };
  });
}

/** A lead of Muster runs the members that it made, or starts them; one that another program runs it starts by these flags. */
function isRunByLead({ muster, backendType }: Member, { sessionId }: LeadLease, parentSession: string | null): boolean {
  const isStartedByIt = parentSession === sessionId && backendType !== "in-process";
  return muster?.incarnation !== undefined && !isStartedByIt;
}

/** A process may come to begin long after it was started: by then another lead, or the same one, may have started the next. */
async function requireWanted(
  { store, team }: MemberProcessOptions,
  name: string,
  spawned: NonNullable<MemberProcessOptions["spawned"]>,
  now: LeadLease | null,
): Promise<void> {
  if (!isLedBy(now, spawned))
    throw new MusterError(
      "not_ready",
      `${name} was not started: the lead that started it does not lead the team any more.`,
    );
  if (!(await isLastStarted(store, { team, name }, spawned)))
    throw new MusterError(
      "not_ready",
      `${name} was not started: its lead has started it anew, or taken it out of the team.`,
    );
}

/** Whether the lead that started a process is the one that leads now. */
export function isLedBy(now: LeadLease | null, { lead }: Pick<SpawnFile, "lead">): boolean {
  return now?.sessionId === lead.session && sameProcess(now, lead.process);
}

/** Whether a member is there, and the process with this nonce is the one that was started last for it. */
export async function isLastStarted(
  { teams }: Pick<Store, "teams">,
  { team, name }: { team: string; name: string },
  { nonce }: Pick<SpawnFile, "nonce">,
): Promise<boolean> {
  const { members } = await teams.read(team);
  return members.some((member) => member.name === name && member.muster?.spawnNonce === nonce);
}

function ledElsewhere(team: string, name: string, { pid }: LeadLease): MusterError {
  return new MusterError(
    "not_ready",
    `Process ${pid} leads team ${team} and runs ${name} itself: write to ${name} there, or end the team there first.`,
  );
}
