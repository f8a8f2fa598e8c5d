import { MusterError } from "../../base/errors.ts";
import { type MessageBody, parseBody, requestIdOf } from "../../protocol/messageBody.ts";
import { inboxFileName, LEAD_NAME, PERSON_NAME } from "../../protocol/names.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { BACKENDS, isLead, type Member, type Presence, type TeamConfig } from "../../protocol/team.ts";
import { newestIncarnation, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import type { Letter } from "../../store/inboxStore.ts";
import type { Store } from "../../store/store.ts";
import { AGENT_TYPES } from "../agentTypes.ts";
import { letterMark, type Notice } from "../context.ts";
import { billsOf, type MemberBills } from "../limits/cost.ts";
import { type AuditLog, readAuditLog } from "./auditLog.ts";

/** What the files tell of one member that an earlier process ran. */
export interface MemberPast {
  entry: Member;
  presence: Presence | null;
  /** Records of this incarnation. */
  transcript: TranscriptRecord[];
  plansSubmitted: number;
  /** Ids of shutdown requests that its lead wrote to it, and that it has not answered. */
  shutdownRequests: string[];
  /** Its last run ended, and the lead was not told. */
  owesIdle: boolean;
}

/** What the files tell of a session whose process is gone: all that the next process needs to go on. */
export interface SessionPast {
  sessionId: string;
  /** Null: its lead had not made a team yet. */
  team: string | null;
  displayName: string;
  goal: string | null;
  lead: MemberPast;
  teammates: MemberPast[];
  /** Requests that nobody has decided. */
  requests: PendingRequest[];
  /** The person paused the team then (ms); null: it is not paused. */
  pausedSince: number | null;
  /** Budgets that the person raised, in USD, by member; the team's under an empty name. */
  budgets: [string, number][];
  /** Rules that the person allowed for the session, and folders that it added. */
  rules: string[];
  directories: string[];
  /** Marks of the letters of the lead and the person, by id. */
  letters: [id: string, mark: string][];
  /** The newest `mode_set_request` to each member, by id. */
  modesSet: [member: string, id: string][];
  /** News that the lead's model was not told. */
  notices: Notice[];
  /** What members used that are gone. */
  gone: MemberBills[];
}

/** Reads the past of a team that Muster led. Throws `unknown_team`, `not_allowed` for a foreign one, and read errors. */
export async function readPast(store: Store, team: string): Promise<SessionPast> {
  const config = await store.teams.read(team);
  const leadEntry = config.members.find(isLead);
  if (!config.muster || !leadEntry || !config.leadSessionId)
    throw new MusterError("not_allowed", `Team ${team} was made by another program: only that one can go on with it.`);
  const presence = await store.presence.readAll(team);
  const log = await readAuditLog(store, { team, agent: LEAD_NAME });
  const inbox = await readBodies(store, team, LEAD_NAME);
  const written = [LEAD_NAME, PERSON_NAME].map(async (from) =>
    (await store.inboxes.letters(team, from)).map((letter) => ({ ...letter, from })),
  );
  const letters = (await Promise.all(written)).flat();
  const leadsOwn = letters.filter(({ from }) => from === LEAD_NAME);
  const pastOf = (entry: Member) =>
    memberPast(store, team, {
      entry,
      presence: presence.get(inboxFileName(entry.name)) ?? null,
      log,
      leadInbox: inbox,
      askedToStop: shutdownsAsked(leadsOwn, entry.name, entry.muster?.incarnation),
    });
  const lead = await pastOf(leadEntry);
  const teammates = await Promise.all(config.members.filter(isResumable).map(pastOf));
  return {
    sessionId: config.leadSessionId,
    team,
    displayName: config.muster.displayName ?? team,
    goal: config.muster.goal ?? null,
    lead,
    teammates,
    ...settled(log),
    letters: letters.map(markOf),
    modesSet: letters.flatMap(({ to, id, text }) => (parseBody(text).kind === "mode_set_request" ? [[to, id]] : [])),
    notices: untold(log.left, lead.transcript),
    gone: await usageOfGone(store, team, config),
  };
}

/**
 * Reads the past of a lead that had no team yet; `goal`: what the person wanted of it. Throws `unknown_team` where
 * nothing is kept of this session, and read errors.
 */
export async function readLeadPast(store: Store, sessionId: string, goal: string | null): Promise<SessionPast> {
  const owner = { leadSession: sessionId };
  const transcript = await store.transcripts.read(owner);
  if (transcript.length === 0) throw new MusterError("unknown_team", "Nothing is kept of the lead of this window.");
  const log = await readAuditLog(store, owner);
  const entry: Member = { agentId: LEAD_NAME, name: LEAD_NAME };
  const plansSubmitted = log.plans.get(LEAD_NAME) ?? 0;
  return {
    ...{ sessionId, team: null, displayName: "", goal },
    lead: { entry, presence: null, transcript, plansSubmitted, shutdownRequests: [], owesIdle: false },
    ...settled(log),
    ...{ teammates: [], letters: [], modesSet: [], notices: [], gone: [] },
  };
}

/** What the person has settled, and has yet to decide. */
function settled({ open, pausedSince, budgets, rules, directories }: AuditLog) {
  return { requests: open, pausedSince, budgets: [...budgets], rules, directories };
}

/**
 * The past of one member, with its requests that nobody has decided. For a process that is that member alone. `askedToStop`:
 * ids of the shutdown requests that count for it, as its lead says; null: no lead said it, and it goes by the files. Throws
 * read errors.
 */
export async function readMemberPast(
  store: Store,
  team: string,
  entry: Member,
  askedToStop: readonly string[] | null,
): Promise<{ past: MemberPast; requests: PendingRequest[] }> {
  const presence = (await store.presence.readAll(team)).get(inboxFileName(entry.name)) ?? null;
  const log = await readAuditLog(store, { team, agent: LEAD_NAME });
  const leadInbox = await readBodies(store, team, LEAD_NAME);
  const asked = askedToStop ?? (await readAskedToStop(store, team, entry));
  const past = await memberPast(store, team, { entry, presence, log, leadInbox, askedToStop: asked });
  return { past, requests: log.open.filter(({ from }) => from === entry.name) };
}

/**
 * Ids of the shutdown requests among what a lead wrote that were for this very member, not for an earlier one of its name.
 * An id in the member's inbox alone proves nothing: whoever writes there could have made it up.
 */
export function shutdownsAsked(letters: readonly Letter[], name: string, incarnation: string | undefined): string[] {
  const own = letters.filter((letter) => letter.to === name && letter.incarnation === (incarnation ?? null));
  return own.flatMap(({ text }) => shutdownId(parseBody(text)));
}

/** Without a lead's word: what its outbox says where that is ours, else its entries as they stand, as in the reference. */
async function readAskedToStop(store: Store, team: string, { name, joinedAt = 0, muster }: Member): Promise<string[]> {
  if (muster?.incarnation !== undefined)
    return shutdownsAsked(await store.inboxes.letters(team, LEAD_NAME), name, muster.incarnation);
  const known = (await readBodies(store, team, name)).filter(
    ({ from, read, timestamp }) => from === LEAD_NAME && read && Date.parse(timestamp) >= joinedAt,
  );
  return known.flatMap(({ content }) => shutdownId(content));
}

function shutdownId(content: MessageBody): string[] {
  return content.kind === "shutdown_request" ? [requestIdOf(content.body) ?? []].flat() : [];
}

/** A teammate that Muster ran, wherever it did. */
function isResumable(entry: Member): boolean {
  return (
    !isLead(entry) &&
    BACKENDS.some((backend) => backend === entry.backendType) &&
    entry.muster?.incarnation !== undefined &&
    Object.hasOwn(AGENT_TYPES, entry.agentType ?? "")
  );
}

interface MemberFiles {
  entry: Member;
  presence: Presence | null;
  log: AuditLog;
  leadInbox: readonly Body[];
  askedToStop: readonly string[];
}

async function memberPast(
  store: Store,
  team: string,
  { entry, presence, log, leadInbox, askedToStop }: MemberFiles,
): Promise<MemberPast> {
  const records = await store.transcripts.read({ team, agent: entry.name });
  const transcript = records.slice(newestIncarnation(records));
  const answered = new Set(
    leadInbox.flatMap(({ content, from }) =>
      from === entry.name && (content.kind === "shutdown_approved" || content.kind === "shutdown_rejected")
        ? [requestIdOf(content.body)]
        : [],
    ),
  );
  return {
    entry,
    presence: presence?.incarnation === entry.muster?.incarnation ? presence : null,
    transcript,
    plansSubmitted: log.plans.get(entry.name) ?? 0,
    shutdownRequests: askedToStop.filter((id) => !answered.has(id)),
    owesIdle: !isLead(entry) && owesIdle(transcript, leadInbox, entry.name),
  };
}

/** Whether the lead's inbox lacks the idle notice of the last run. */
function owesIdle(transcript: readonly TranscriptRecord[], leadInbox: readonly Body[], name: string): boolean {
  const last = transcript.at(-1);
  if (last?.kind !== "run_end") return false;
  return !leadInbox.some(
    ({ content, from, timestamp }) => content.kind === "idle_notification" && from === name && timestamp >= last.at,
  );
}

interface Body {
  from: string;
  timestamp: string;
  read: boolean;
  content: MessageBody;
}

async function readBodies(store: Store, team: string, agent: string): Promise<Body[]> {
  const { entries } = await store.inboxes.readAll(team, agent);
  return entries.map(({ from, timestamp, read = false, text }) => ({
    from,
    timestamp,
    read,
    content: parseBody(text),
  }));
}

function markOf({ id, from, to, incarnation, ...said }: Letter & { from: string }): [string, string] {
  return [id, letterMark(from, to, said, to === LEAD_NAME ? null : incarnation)];
}

function untold(left: readonly Notice[], transcript: readonly TranscriptRecord[]): Notice[] {
  const told = new Set(transcript.flatMap((record) => (record.kind === "input" ? [textOf(record.content)] : [])));
  return left.filter(({ text }) => !told.has(text)).map(({ text, urgent }) => ({ text, urgent }));
}

/** Transcripts of the team whose members, or whose earlier incarnations, are gone. */
async function usageOfGone(store: Store, team: string, config: TeamConfig): Promise<MemberBills[]> {
  const living = new Set(config.members.map((member) => inboxFileName(member.name)));
  const gone: MemberBills[] = [];
  for (const name of await store.transcripts.list(team)) {
    const records = await store.transcripts.read({ team, agent: name });
    const end = living.has(name) ? newestIncarnation(records) : records.length;
    const theirs = records.slice(0, end);
    const bills = billsOf(theirs);
    if (bills.length > 0) gone.push({ name, bills });
  }
  return gone;
}
