import { type Entry, messageId } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import { foldName } from "../../protocol/names.ts";
import type { Thread, ThreadMessage } from "../../protocol/panel.ts";
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

/**
 * Makes threads of two out of the mail of all recipients, the one with the newest message first. A thread in which
 * nothing changed is the same object as before.
 */
export function createThreads(
  people: People,
  limits: ThreadLimits = THREAD_LIMITS,
): (mail: Iterable<ReceivedMail>) => Thread[] {
  const known = new WeakMap<ReceivedMail, ReadonlyMap<string, readonly Sent[]>>();
  let made = new Map<string, MadeThread>();
  const bySender = (mail: ReceivedMail) => {
    const pairs = known.get(mail) ?? pairsOf(mail);
    known.set(mail, pairs);
    return pairs;
  };
  return (all) => {
    const pairs = new Map<string, (readonly Sent[])[]>();
    for (const mail of all) for (const [id, part] of bySender(mail)) pairs.set(id, [...(pairs.get(id) ?? []), part]);
    const next = [...pairs].map(([id, parts]): [string, MadeThread] => {
      const before = made.get(id);
      const same = before && isMadeOf(before, parts, people);
      return [id, same ? before : { parts, thread: threadOf(id, parts.flat().sort(byTime), people, limits) }];
    });
    made = new Map(next);
    return next.map(([, { thread }]) => thread).sort((one, other) => lastTime(other) - lastTime(one));
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
  thread: Thread;
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

function messageOf({ entry, to, at, dead }: Sent): ThreadMessage {
  return {
    id: messageId(entry),
    from: entry.from,
    to,
    at,
    kind: parseBody(entry.text).kind,
    text: messageText(entry.text),
    summary: entry.summary ?? null,
    json: messageJson(entry),
    delivery: entry.read ? "read" : dead ? "dead" : "delivered",
  };
}

function threadOf(id: string, all: readonly Sent[], people: People, limits: ThreadLimits): Thread {
  const newest = all.slice(-limits.messages).map((sent) => cut(messageOf(sent), limits.characters));
  const shown = newestThatFit(newest, limits.total);
  const a = people(all[0]?.entry.from ?? "");
  const b = people(all[0]?.to ?? "");
  const unread = all.filter(
    ({ entry, dead }) => entry.read !== true && isUnread(parseBody(entry.text).kind, dead),
  ).length;
  return { id, a, b, unread, messages: shown, omitted: all.length - shown.length };
}

/** The newest messages within `total` characters, and the last one in any case. */
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
  return { ...message, text, json: message.json === null ? null : cutText(message.json, characters) };
}

function cutText(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text.slice(0, characters)}\n… ${text.length - characters} characters more`;
}

function byTime(one: Sent, other: Sent): number {
  return one.at - other.at;
}

function lastTime(of: Thread): number {
  return of.messages.at(-1)?.at ?? 0;
}
