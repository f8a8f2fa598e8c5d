import { type Entry, messageId } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import { foldName } from "../../protocol/names.ts";
import type { Delivery, Thread, ThreadMessage } from "../../protocol/panel.ts";
import { isUnread, type ReceivedMail } from "./mail.ts";
import { messageJson, messageText } from "./messageText.ts";
import type { People } from "./people.ts";

/** Bounds of what is sent to the panel. */
export interface ThreadLimits {
  /** Newest messages of a thread. */
  messages: number;
  /** Characters of one message's text and of its JSON. */
  characters: number;
  /** Characters of all messages of a thread, as JSON: the newest that fit. */
  total: number;
}

/** What the panel shows of a thread. */
export const THREAD_LIMITS: ThreadLimits = { messages: 100, characters: 8_000, total: 60_000 };

/** Messages of a thread that come one after the other, oldest first, and how many were said before the first. */
export interface ThreadPart {
  messages: ThreadMessage[];
  earlier: number;
}

/** Whether a member can take nothing now: it is in the middle of something, or held back. */
export type IsBusy = (name: string) => boolean;

/** The threads of a team. Of what `all` made last the rest can be asked for, in bounds too, but for a whole text. */
export interface Threads {
  /**
   * Threads of two out of the mail of all recipients, the one with the newest message first. One in which nothing changed
   * is the same object as before. `isBusy`: absent where the states of members are not known.
   */
  all(mail: Iterable<ReceivedMail>, isBusy?: IsBusy): Thread[];
  /** What was said before this message; null where it is not known (any more). */
  before(thread: string, message: string): ThreadPart | null;
  /** Those of these messages that are there, by id. */
  some(thread: string, messages: ReadonlySet<string>): ThreadMessage[];
  /** The text of a message, or for a protocol message its JSON, uncut; null where it is not known (any more). */
  whole(thread: string, message: string): WholeMessage | null;
}

/** `isJson`: it is a protocol message. */
export interface WholeMessage {
  text: string;
  isJson: boolean;
}

/** No thread has been made yet. */
export function createThreads(people: People, limits: ThreadLimits = THREAD_LIMITS): Threads {
  const bySender = createBySender();
  let made = new Map<string, MadeThread>();
  let busy: IsBusy = () => false;
  const shown = (sent: Sent) => cut(messageOf(sent, busy), limits.characters);
  const find = (thread: string, message: string) => {
    const all = made.get(thread)?.all ?? [];
    return { all, at: all.findIndex(({ entry }) => messageId(entry) === message) };
  };
  return {
    all(mail, isBusy = () => false) {
      busy = isBusy;
      const pairs = new Map<string, (readonly Sent[])[]>();
      for (const one of mail) for (const [id, part] of bySender(one)) pairs.set(id, [...(pairs.get(id) ?? []), part]);
      made = new Map(
        [...pairs].map(([id, parts]): [string, MadeThread] => {
          const before = made.get(id);
          if (before && isMadeOf(before, parts, people)) return [id, withDelivery(before, isBusy)];
          return [id, madeOf(id, parts, { people, limits, isBusy })];
        }),
      );
      return [...made.values()].map(({ thread }) => thread).sort((one, other) => lastTime(other) - lastTime(one));
    },
    before(thread, message) {
      const { all, at } = find(thread, message);
      if (at < 0) return null;
      const messages = newestThatFit(all.slice(Math.max(0, at - limits.messages), at).map(shown), limits.total);
      return { messages, earlier: at - messages.length };
    },
    some: (thread, messages) =>
      (made.get(thread)?.all ?? []).filter(({ entry }) => messages.has(messageId(entry))).map(shown),
    whole(thread, message) {
      const { all, at } = find(thread, message);
      const entry = all[at]?.entry;
      if (!entry) return null;
      const json = messageJson(entry);
      return { text: json ?? entry.text, isJson: json !== null };
    },
  };
}

/** One entry with what is needed of every one, shown or not. */
interface Sent {
  entry: Entry;
  to: string;
  at: number;
  dead: boolean;
}

/** A thread, and what the recipients' mail gave to it. */
interface MadeThread {
  parts: readonly (readonly Sent[])[];
  /** All of it, oldest first. */
  all: readonly Sent[];
  /** Recipients of what is neither read nor dead, and those of them that could take nothing when it was made. */
  recipients: readonly string[];
  busy: readonly string[];
  thread: Thread;
}

interface Making {
  people: People;
  limits: ThreadLimits;
  isBusy: IsBusy;
}

function madeOf(id: string, parts: MadeThread["parts"], making: Making): MadeThread {
  const all = parts.flat().sort(byTime);
  const recipients = [...new Set(all.filter(({ entry, dead }) => !entry.read && !dead).map(({ to }) => to))];
  const busy = recipients.filter(making.isBusy);
  return { parts, all, recipients, busy, thread: threadOf(id, all, making) };
}

/** The same, where the same recipients can take nothing; else what waits for them says so. */
function withDelivery(made: MadeThread, isBusy: IsBusy): MadeThread {
  const busy = made.recipients.filter(isBusy);
  if (busy.join("\n") === made.busy.join("\n")) return made;
  const messages = made.thread.messages.map((message) => {
    const waits = message.delivery === "queued" || message.delivery === "delivered";
    const delivery: Delivery = isBusy(message.to) ? "queued" : "delivered";
    return waits && message.delivery !== delivery ? { ...message, delivery } : message;
  });
  return { ...made, busy, thread: { ...made.thread, messages } };
}

/** What each recipient got, by thread; known for mail that was seen before. */
function createBySender(): (mail: ReceivedMail) => ReadonlyMap<string, readonly Sent[]> {
  const known = new WeakMap<ReceivedMail, ReadonlyMap<string, readonly Sent[]>>();
  return (mail) => {
    const pairs = known.get(mail) ?? pairsOf(mail);
    known.set(mail, pairs);
    return pairs;
  };
}

function isMadeOf({ parts, thread: { a, b } }: MadeThread, now: readonly (readonly Sent[])[], people: People): boolean {
  const same = parts.length === now.length && parts.every((part, index) => part === now[index]);
  return same && people(a.name) === a && people(b.name) === b;
}

/** What one recipient got, by the thread to which it belongs. */
function pairsOf({ to, entries, isDead }: ReceivedMail): ReadonlyMap<string, readonly Sent[]> {
  const ids = new Map<string, string>();
  const pairs = new Map<string, Sent[]>();
  for (const entry of entries) {
    const id = ids.get(entry.from) ?? threadId(entry.from, to);
    ids.set(entry.from, id);
    const dead = entry.read !== true && isDead(entry);
    const sent = { entry, to, at: Date.parse(entry.timestamp) || 0, dead };
    const part = pairs.get(id);
    if (part) part.push(sent);
    else pairs.set(id, [sent]);
  }
  return pairs;
}

/** The thread of these two. */
export function threadId(one: string, other: string): string {
  return JSON.stringify([one, other].sort((a, b) => (foldName(a) < foldName(b) ? -1 : 1)));
}

function deliveryOf({ entry, to, dead }: Sent, isBusy: IsBusy): Delivery {
  if (entry.read) return "read";
  if (dead) return "dead";
  return isBusy(to) ? "queued" : "delivered";
}

function messageOf(sent: Sent, isBusy: IsBusy): ThreadMessage {
  const { entry, to, at } = sent;
  return {
    id: messageId(entry),
    from: entry.from,
    to,
    at,
    kind: parseBody(entry.text).kind,
    text: messageText(entry.text),
    summary: entry.summary ?? null,
    json: messageJson(entry),
    delivery: deliveryOf(sent, isBusy),
  };
}

function threadOf(id: string, all: readonly Sent[], { people, limits, isBusy }: Making): Thread {
  const newest = all.slice(-limits.messages).map((sent) => cut(messageOf(sent, isBusy), limits.characters));
  const shown = newestThatFit(newest, limits.total);
  const a = people(all[0]?.entry.from ?? "");
  const b = people(all[0]?.to ?? "");
  const unread = all.filter(
    ({ entry, dead }) => entry.read !== true && isUnread(parseBody(entry.text).kind, dead),
  ).length;
  return { id, a, b, unread, messages: shown, omitted: all.length - shown.length };
}

/** The newest messages within `total` characters, and the last one, where there is one, in any case. */
function newestThatFit(messages: readonly ThreadMessage[], total: number): ThreadMessage[] {
  let room = total;
  const first = messages.findLastIndex((message) => {
    room -= JSON.stringify(message).length;
    return room < 0;
  });
  return messages.slice(Math.min(first + 1, messages.length - 1));
}

function cut(message: ThreadMessage, characters: number): ThreadMessage {
  const text = cutText(message.text, characters);
  const json = message.json === null ? null : cutText(message.json, characters);
  const isCut = text !== message.text || json !== message.json;
  return isCut ? { ...message, text, json, cut: true } : message;
}

function cutText(text: string, characters: number): string {
  const more = text.length - characters;
  if (more <= 0) return text;
  const shown = text.slice(0, characters);
  return more === 1 ? `${shown}\n… 1 character more` : `${shown}\n… ${more} characters more`;
}

function byTime(one: Sent, other: Sent): number {
  return one.at - other.at;
}

function lastTime(of: Thread): number {
  return of.messages.at(-1)?.at ?? 0;
}
