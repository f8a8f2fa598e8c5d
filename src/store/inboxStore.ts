import { isoTime } from "../base/clock.ts";
import { newUuid } from "../protocol/ids.ts";
import { type Entry, type EntryDraft, makeEntry, messageId } from "../protocol/message.ts";
import type { TeamConfig } from "../protocol/team.ts";
import { restoreBody } from "./blobs.ts";
import type { FileCache } from "./fileCache.ts";
import { withFileErrors } from "./fsErrors.ts";
import { markEntriesRead, rawId } from "./inboxChanges.ts";
import { archiveEntries, changeInbox, deliver } from "./inboxFile.ts";
import { type InboxRead, listInboxes, readInbox, readWithArchive } from "./inboxReader.ts";
import { createMessageSender, type MessageSender, type SendDraft, type SentMessage } from "./messageSender.ts";
import type { Outbox } from "./outbox.ts";
import type { StoreContext } from "./storeContext.ts";

/** The inboxes of teams. `agent` is a member's name. */
export interface InboxStore {
  /** As `MessageSender.send`: into every recipient's inbox, or an error that says what was not sent. */
  send(team: string, draft: SendDraft): Promise<SentMessage[]>;
  /** As `MessageSender.takeBack`. */
  takeBack(team: string, from: string, message: SentMessage): Promise<void>;
  /** At the start of an agent: sends what its earlier process wrote down and did not send. */
  replayOutbox(team: string, agent: string): Promise<SentMessage[]>;
  /** Whether this sender's own runtime wrote an entry of this id. */
  wrote(team: string, from: string, msgId: string): Promise<boolean>;
  /**
   * What was sent with authority (`SendDraft`), as it was written down before that, oldest first, as far back as the
   * sender's outbox goes (128 Ki characters at least): what gives an entry authority after a restart.
   */
  letters(team: string, from: string): Promise<Letter[]>;
  read(team: string, agent: string): Promise<InboxRead>;
  /** With the archive, oldest first. */
  readAll(team: string, agent: string): Promise<InboxRead>;
  /** Names of the files in `inboxes/`, without `.json`: members, and those that are gone. */
  list(team: string): Promise<string[]>;
  /** Reads as `read`, once whoever writes to the inbox now has finished. Throws `lock_timeout` too. */
  readLocked(team: string, agent: string): Promise<InboxRead>;
  /** Resolves to how many entries were not read before. Ids as `messageId` gives them. */
  markRead(team: string, agent: string, msgIds: readonly string[]): Promise<number>;
  /** Appends an entry that is read already, as a record; resolves to its id. */
  appendRecord(team: string, agent: string, draft: EntryDraft): Promise<string>;
  /** Changes fields of entries under the lock (`null` leaves an entry alone); never their `msg_id`. */
  patchEntries(team: string, agent: string, patch: (entry: Entry) => Partial<Entry> | null): Promise<number>;
  /** Puts all mail away into the archive, for a new member of an old name. */
  retire(team: string, agent: string): Promise<void>;
  /** Resolves when every must-arrive message has been looked for again. */
  settled(): Promise<void>;
}

/** A message as its sender wrote it down. */
export interface Letter {
  id: string;
  to: string;
  text: string;
  summary?: string | undefined;
  /** Of the member that it was for; null for one that is not ours. */
  incarnation: string | null;
}

export interface InboxParts {
  context: StoreContext;
  cache: FileCache;
  outbox: Outbox;
  readTeam(team: string): Promise<TeamConfig>;
}

/** The inboxes of a store. */
export function createInboxStore(parts: InboxParts): InboxStore {
  const { context, cache } = parts;
  const sender: MessageSender = createMessageSender(parts);
  const paths = (team: string) => context.paths.team(team);
  return {
    send: sender.send,
    takeBack: (team, from, message) =>
      withFileErrors("A message was not taken back", paths(team).inbox(message.to), () =>
        sender.takeBack(team, from, message),
      ),
    replayOutbox: (team, agent) =>
      withFileErrors(`Earlier messages of ${agent} were not sent`, paths(team).dir, () => sender.replay(team, agent)),
    wrote: (team, from, msgId) => parts.outbox.wrote(paths(team), from, msgId),
    letters: (team, from) =>
      withFileErrors(`The outbox of ${from} cannot be read`, paths(team).outbox(from), async () => {
        const sends = await parts.outbox.sends(paths(team), from);
        const own = sends.filter(({ authority }) => authority);
        const whole = own.map(async ({ to, entry }) => {
          const restored = await restoreBody(context, paths(team), entry);
          const incarnation = entry.muster?.incarnation ?? null;
          return restored ? [{ id: entry.msg_id, to, text: restored.text, summary: entry.summary, incarnation }] : [];
        });
        return (await Promise.all(whole)).flat();
      }),
    read: (team, agent) =>
      withFileErrors(`The inbox of ${agent} cannot be read`, paths(team).inbox(agent), () =>
        readInbox(context, cache, paths(team), agent),
      ),
    readAll: (team, agent) =>
      withFileErrors(`The inbox of ${agent} cannot be read`, paths(team).inbox(agent), () =>
        readWithArchive(context, cache, paths(team), agent),
      ),
    list: (team) =>
      withFileErrors("The inboxes cannot be listed", paths(team).inboxes, () => listInboxes(context, paths(team))),
    readLocked: (team, agent) => readLocked(parts, team, agent),
    markRead: (team, agent, msgIds) => markRead(parts, team, agent, msgIds),
    appendRecord: (team, agent, draft) => appendRecord(parts, team, agent, draft),
    patchEntries: (team, agent, patch) => patchEntries(parts, team, agent, patch),
    retire: (team, agent) => retire(parts, team, agent),
    settled: sender.settled,
  };
}

async function markRead(parts: InboxParts, team: string, agent: string, msgIds: readonly string[]): Promise<number> {
  if (msgIds.length === 0) return 0;
  const paths = parts.context.paths.team(team);
  const ids = new Set(msgIds);
  return await withFileErrors(`Messages of ${agent} were not marked as read`, paths.inbox(agent), () =>
    changeInbox(parts.context, paths, agent, (raw) => {
      const { next, changed } = markEntriesRead(raw, ids);
      return { next: changed === 0 ? null : next, result: changed };
    }),
  );
}

async function appendRecord(parts: InboxParts, team: string, agent: string, draft: EntryDraft): Promise<string> {
  const { context } = parts;
  const paths = context.paths.team(team);
  const entry = makeEntry({ ...draft, read: true }, isoTime(context.clock.now()), draft.msgId ?? newUuid());
  await withFileErrors(`The record for ${agent} was not written`, paths.inbox(agent), () =>
    deliver(context, paths, agent, entry),
  );
  return entry.msg_id;
}

async function readLocked({ context, cache }: InboxParts, team: string, agent: string): Promise<InboxRead> {
  const paths = context.paths.team(team);
  return await withFileErrors(`The inbox of ${agent} cannot be read`, paths.inbox(agent), async () => {
    await changeInbox(context, paths, agent, () => ({ next: null, result: undefined }));
    return await readInbox(context, cache, paths, agent);
  });
}

async function patchEntries(
  parts: InboxParts,
  team: string,
  agent: string,
  patch: (entry: Entry) => Partial<Entry> | null,
): Promise<number> {
  const { context } = parts;
  const paths = context.paths.team(team);
  return await withFileErrors(`Messages of ${agent} were not changed`, paths.inbox(agent), async () => {
    const { entries } = await readInbox(context, parts.cache, paths, agent);
    const patches = new Map(entries.flatMap((entry) => toPatch(messageId(entry), patch(entry))));
    if (patches.size === 0) return 0;
    return await changeInbox(context, paths, agent, (raw) => {
      let changed = 0;
      const next = raw.map((element) => {
        const fields = rawId(element).flatMap((id) => patches.get(id) ?? [])[0];
        if (!fields) return element;
        changed += 1;
        return { ...(element as object), ...fields };
      });
      return { next: changed === 0 ? null : next, result: changed };
    });
  });
}

function toPatch(id: string, fields: Partial<Entry> | null): [string, Partial<Entry>][] {
  if (!fields) return [];
  const { msg_id: _id, text: _text, ...changed } = fields; // an entry stays the one that it is
  return [[id, changed]];
}

async function retire(parts: InboxParts, team: string, agent: string): Promise<void> {
  const { context } = parts;
  const paths = context.paths.team(team);
  await withFileErrors(`The mail of an earlier ${agent} was not put away`, paths.inbox(agent), async () => {
    const { entries } = await readInbox(context, parts.cache, paths, agent);
    if (entries.length === 0) return;
    await changeInbox(context, paths, agent, async (raw) => {
      await archiveEntries(context, paths, agent, raw);
      return { next: [], result: undefined };
    });
  });
}
