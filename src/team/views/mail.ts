import { type Entry, messageId } from "../../protocol/message.ts";
import { type MessageKind, parseBody } from "../../protocol/messageBody.ts";
import { inboxFileName, PERSON_NAME } from "../../protocol/names.ts";
import { joinArchive } from "../../store/inboxReader.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";

/** Everything that one recipient got. */
export interface ReceivedMail {
  readonly to: string;
  /** What was moved out of its inbox, then what is in it: oldest first. */
  readonly entries: readonly Entry[];
  /** Entries that wait for their reader. */
  readonly unread: number;
  /**
   * Whether an entry that was not read is a dead letter: the recipient is dead or gone, or the entry was put away when a
   * new member took the name.
   */
  isDead(entry: Entry): boolean;
}

/** By recipient. */
export type MailByRecipient = ReadonlyMap<string, ReceivedMail>;

export type MailSources = Pick<TeamSnapshot, "archives" | "config" | "finishedAt" | "inboxes" | "presence">;

/** Reads the mail of one snapshot after another. That of a recipient for whom nothing changed is the same object. */
export function createMailReader(): (snapshot: MailSources) => MailByRecipient {
  let known = new Map<string, { from: From; mail: ReceivedMail }>();
  return (snapshot) => {
    const isGone = goneIn(snapshot);
    const { archives, inboxes } = snapshot;
    const next: typeof known = new Map();
    for (const to of new Set([...inboxes.keys(), ...archives.keys()])) {
      const from: From = { archive: archives.get(to), inbox: inboxes.get(to)?.entries, gone: isGone(to) };
      const before = known.get(to);
      next.set(to, before && isSame(before.from, from) ? before : { from, mail: mailOf(to, from) });
    }
    known = next;
    return new Map([...known].map(([to, { mail }]) => [to, mail]));
  };
}

/** Whether an entry waits for its reader; a request waits for the person instead. `settled`: it is read or dead. */
export function isUnread(kind: MessageKind, settled: boolean): boolean {
  return !settled && kind !== "permission_request" && kind !== "plan_approval_request";
}

/** What the mail of one recipient is made of. `gone`: nobody of this name will read. */
interface From {
  archive: readonly Entry[] | undefined;
  inbox: readonly Entry[] | undefined;
  gone: boolean;
}

function isSame(one: From, other: From): boolean {
  return one.archive === other.archive && one.inbox === other.inbox && one.gone === other.gone;
}

function mailOf(to: string, { archive = [], inbox = [], gone }: From): ReceivedMail {
  const putAway = new Set(archive.map(messageId));
  for (const entry of inbox) putAway.delete(messageId(entry));
  const isDead = (entry: Entry) => gone || (putAway.size > 0 && putAway.has(messageId(entry)));
  const entries = joinArchive(archive, inbox);
  const unread = entries.filter(
    (entry) => entry.read !== true && isUnread(parseBody(entry.text).kind, isDead(entry)),
  ).length;
  return { to, entries, unread, isDead };
}

/** Whether nobody of this name will read: it is no member any more, it is dead, or the whole team has ended. */
function goneIn({ config, presence, finishedAt }: MailSources): (name: string) => boolean {
  const members = new Set(config.members.map(({ name }) => name));
  return (name) => {
    if (name === PERSON_NAME) return false;
    return finishedAt !== null || !members.has(name) || presence.get(inboxFileName(name))?.state === "dead";
  };
}
