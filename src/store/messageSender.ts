import { isAborted, throwIfAborted } from "../base/abort.ts";
import { isoTime } from "../base/clock.ts";
import { errorMessage, isMusterError, MusterError } from "../base/errors.ts";
import { newUuid } from "../protocol/ids.ts";
import { type Entry, makeEntry } from "../protocol/message.ts";
import type { Member, TeamConfig } from "../protocol/team.ts";
import { storeLargeBody } from "./blobs.ts";
import { fileFailure, isMissing } from "./fsErrors.ts";
import { rawId } from "./inboxChanges.ts";
import { deliver, inboxFile, removeEntry } from "./inboxFile.ts";
import { isArchived } from "./inboxReader.ts";
import { readJson } from "./jsonFile.ts";
import type { Outbox, OutgoingEntry } from "./outbox.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";
import { configGeneration, findMember, resolveMember } from "./teamFile.ts";

/** A message to send; `to` names members by name, display name or `name@team`. */
export interface SendDraft {
  from: string;
  to: readonly string[];
  text: string;
  summary?: string;
  color?: string;
  /** Assignments, decisions, shutdowns: looked for again after 200 ms, and sent again if a foreign writer lost it. */
  mustArrive?: boolean;
  /** The host that sends it speaks for its sender, the person or the lead: `letters` tells of it after a restart. */
  authority?: boolean;
  /** For one recipient: an id that the sender chose, so that sending twice is sending once. */
  msgId?: string;
  /** A record: it is in the inbox, and nobody is to be told. */
  read?: boolean;
  muster?: Record<string, unknown>;
  /** `lead_sig` of an entry, for members that were given a key. */
  sign?: (entry: Entry & { msg_id: string }, to: Member) => string | undefined;
}

/** A message that is in its recipient's inbox. */
export interface SentMessage {
  to: string;
  msgId: string;
}

export interface MessageSender {
  /**
   * Puts one entry into each recipient's inbox. Throws `unknown_member` (and writes nothing), `backlog_full`,
   * `lock_timeout` and file failures; the sentence says to whom it was not sent.
   */
  send(team: string, draft: SendDraft): Promise<SentMessage[]>;
  /**
   * Takes a message back that nobody is to read any more, because its recipient was never there: out of the inbox, which
   * goes where nothing else is in it, and it is not sent again.
   */
  takeBack(team: string, from: string, message: SentMessage): Promise<void>;
  /** Sends what a process that died had written down and not sent. Resolves to what was sent now. */
  replay(team: string, agent: string): Promise<SentMessage[]>;
  /** Resolves when every must-arrive message has been looked for again. */
  settled(): Promise<void>;
}

export interface SenderParts {
  context: StoreContext;
  outbox: Outbox;
  readTeam(team: string): Promise<TeamConfig>;
}

/** Sends messages: outbox first, then the inbox, then the mark that it is done. */
export function createMessageSender(parts: SenderParts): MessageSender {
  const checks = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const checkLater: CheckLater = (id, check) => {
    const abort = new AbortController();
    const done = check(AbortSignal.any([parts.context.signal, abort.signal]));
    checks.set(id, { abort, done });
    void done.finally(() => checks.delete(id));
  };
  return {
    async send(team, draft) {
      const paths = parts.context.paths.team(team);
      const config = await parts.readTeam(team);
      const sends = await prepare(parts.context, paths, config, team, draft);
      try {
        await parts.outbox.intend(paths, draft.from, sends, draft.mustArrive === true);
      } catch (error) {
        throw notSent(error, paths, []);
      }
      return await sendAll(parts, paths, config, draft.from, sends, checkLater);
    },
    async takeBack(team, from, { to, msgId }) {
      const { context, outbox } = parts;
      const paths = context.paths.team(team);
      const check = checks.get(msgId);
      check?.abort.abort();
      await check?.done;
      try {
        await outbox.cancel(paths, from, msgId);
        await removeEntry(context, paths, to, msgId);
      } catch (error) {
        if (!isMissing(error)) throw error; // the team has gone too
      }
    },
    replay: (team, agent) => replay(parts, team, agent),
    async settled() {
      while (checks.size > 0) await Promise.all([...checks.values()].map(({ done }) => done));
    },
  };
}

/** Begins a check of the message `id`, which ends when the signal that it gets aborts. */
type CheckLater = (id: string, check: (signal: AbortSignal) => Promise<void>) => void;

const CHECK_AFTER_MS = 200;
const CHECKS = 3;

async function prepare(
  context: StoreContext,
  paths: TeamPaths,
  config: TeamConfig,
  team: string,
  draft: SendDraft,
): Promise<OutgoingEntry[]> {
  const recipients = new Map(draft.to.map((named) => resolveMember(team, config, named)).map((one) => [one.name, one]));
  const sender = config.members.find((member) => member.name === draft.from);
  const timestamp = isoTime(context.clock.now());
  const sends: OutgoingEntry[] = [];
  for (const member of recipients.values()) {
    const entry = makeEntry({ ...draft, muster: marks(draft, sender, member) }, timestamp, draft.msgId ?? newUuid());
    const signature = draft.sign?.(entry, member);
    if (signature !== undefined) entry.lead_sig = signature;
    const large = member.muster ? await storeBody(context, paths, draft.text) : undefined;
    if (large) Object.assign(entry, { text: large.text, muster: { ...entry.muster, blob: large.blob } });
    const { mustArrive = false, authority = false } = draft;
    sends.push({ to: member.name, entry, mustArrive, authority });
  }
  return sends;
}

/**
 * Which incarnations an entry is between: mail of an earlier member of the same name counts for nothing. Entries for
 * foreign members have no marks, and yet show by their `muster` that they are ours.
 */
function marks(draft: SendDraft, sender: Member | undefined, recipient: Member): Record<string, unknown> {
  const to = recipient.muster?.incarnation;
  const from = sender?.muster?.incarnation;
  return {
    ...(to === undefined ? {} : { incarnation: to }),
    ...(from === undefined || to === undefined ? {} : { fromIncarnation: from }),
    ...draft.muster,
  };
}

async function storeBody(context: StoreContext, paths: TeamPaths, text: string) {
  try {
    return await storeLargeBody(context, paths, text);
  } catch (error) {
    throw notSent(error, paths, []);
  }
}

async function sendAll(
  parts: SenderParts,
  paths: TeamPaths,
  config: TeamConfig,
  from: string,
  sends: readonly OutgoingEntry[],
  checkLater: CheckLater,
): Promise<SentMessage[]> {
  const sent: SentMessage[] = [];
  const settled: string[] = [];
  for (const [index, send] of sends.entries()) {
    try {
      const before = await deliverOnce(parts, paths, send);
      sent.push({ to: send.to, msgId: send.entry.msg_id });
      if (send.mustArrive)
        checkLater(send.entry.msg_id, (signal) => checkArrival(parts, paths, config, from, { send, before, signal }));
      else settled.push(send.entry.msg_id);
    } catch (error) {
      for (const unsent of sends.slice(index)) await cancelQuietly(parts, paths, from, unsent.entry.msg_id);
      await settleQuietly(parts, paths, from, settled);
      throw notSent(error, paths, sent, send.to);
    }
  }
  await settleQuietly(parts, paths, from, settled);
  return sent;
}

/** Delivers; a failure that came after the entry became visible is none. Throws `unknown_member` for one that has left. */
async function deliverOnce({ context, readTeam }: SenderParts, paths: TeamPaths, send: OutgoingEntry) {
  const { to, entry, mustArrive } = send;
  const isMember = async () => {
    const member = findMember(await readTeam(paths.folder), to);
    if (!member || !isFor(member, entry))
      throw new MusterError("unknown_member", `${to} has left team ${paths.folder}.`);
  };
  try {
    return await deliver(context, paths, to, entry, { durable: mustArrive, check: isMember });
  } catch (error) {
    if (!isMusterError(error) && !isMissing(error) && (await isInInbox(context, paths, to, entry.msg_id))) return [];
    throw error;
  }
}

async function isInInbox(context: StoreContext, paths: TeamPaths, agent: string, id: string): Promise<boolean> {
  try {
    return (await inboxIds(context, paths, agent)).has(id);
  } catch {
    return false; // cannot be told: the first failure stands
  }
}

async function inboxIds(context: StoreContext, paths: TeamPaths, agent: string): Promise<Set<string>> {
  const read = await readJson(context, inboxFile(paths, agent));
  return new Set(read.kind === "ok" ? read.value.flatMap(rawId) : []);
}

async function checkArrival(
  parts: SenderParts,
  paths: TeamPaths,
  config: TeamConfig,
  from: string,
  { send, before, signal }: { send: OutgoingEntry; before: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const { context } = parts;
  try {
    for (let check = 0; check < CHECKS; check += 1) {
      await context.clock.sleep(CHECK_AFTER_MS, signal);
      if (!(await isLost(context, paths, config, send, before))) break;
      throwIfAborted(signal);
      context.logger.warn(`A message to ${send.to} was overwritten by another program and is sent again.`);
      await deliver(context, paths, send.to, send.entry, { durable: true });
    }
    await parts.outbox.settle(paths, from, [send.entry.msg_id]);
  } catch (error) {
    if (!isAborted(error)) context.logger.warn(`Whether a message reached ${send.to} could not be checked.`, error);
  }
}

/**
 * Whether a foreign writer overwrote the entry. Recipients of later generations remove what they have read: there it is
 * lost only if something older is still there.
 */
async function isLost(
  context: StoreContext,
  paths: TeamPaths,
  config: TeamConfig,
  { to, entry }: OutgoingEntry,
  before: readonly string[],
): Promise<boolean> {
  const ids = await inboxIds(context, paths, to);
  if (ids.has(entry.msg_id)) return false;
  if (keepsEntries(config, to)) return !(await isArchived(context, paths, to, entry.msg_id));
  return before.some((id) => ids.has(id));
}

function keepsEntries(config: TeamConfig, name: string): boolean {
  return findMember(config, name)?.muster !== undefined || configGeneration(config) === "G1";
}

async function replay(parts: SenderParts, team: string, agent: string): Promise<SentMessage[]> {
  const { context, outbox } = parts;
  const paths = context.paths.team(team);
  const config = await parts.readTeam(team);
  const sent: SentMessage[] = [];
  for (const send of await outbox.unsettled(paths, agent)) {
    const id = send.entry.msg_id;
    const member = config.members.find((one) => one.name === send.to);
    if (!member || !isFor(member, send.entry)) {
      context.logger.warn(`A message to ${send.to}, who has left, was not sent again.`);
      await outbox.cancel(paths, agent, id);
      continue;
    }
    const known = (await inboxIds(context, paths, send.to)).has(id) || (await isArchived(context, paths, send.to, id));
    if (!known) {
      await deliver(context, paths, send.to, send.entry, { durable: send.mustArrive });
      sent.push({ to: send.to, msgId: id });
    }
    await outbox.settle(paths, agent, [id]);
  }
  return sent;
}

/** Whether an entry is for this incarnation of a member; entries without one are for whoever reads them. */
export function isFor(member: Member, entry: Entry): boolean {
  const incarnation = entry.muster?.incarnation;
  return incarnation === undefined || incarnation === member.muster?.incarnation;
}

async function cancelQuietly(parts: SenderParts, paths: TeamPaths, from: string, id: string): Promise<void> {
  try {
    await parts.outbox.cancel(paths, from, id);
  } catch (error) {
    parts.context.logger.warn("A message that was not sent could not be struck from the outbox.", error);
  }
}

async function settleQuietly(
  parts: SenderParts,
  paths: TeamPaths,
  from: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  try {
    await parts.outbox.settle(paths, from, ids);
  } catch (error) {
    parts.context.logger.warn(
      "A sent message could not be marked as sent; it is looked at again at the next start.",
      error,
    );
  }
}

function notSent(error: unknown, paths: TeamPaths, sent: readonly SentMessage[], to?: string): MusterError {
  if (isMissing(error)) {
    return new MusterError("unknown_team", `Not sent: the team ${paths.folder} was deleted.`, { cause: error });
  }
  const failure = fileFailure(error, to === undefined ? "Not sent" : `Not sent to ${to}`, paths.dir);
  const others = sent.length === 0 ? "" : ` It was sent to ${sent.map((one) => one.to).join(", ")}.`;
  const sentence = errorMessage(failure);
  const prefix = sentence.startsWith("Not sent") ? "" : "Not sent: ";
  return new MusterError(failure.reason, `${prefix}${sentence}${others}`, { cause: error });
}
