import { type Entry, messageId } from "../../protocol/message.ts";
import { type MessageKind, parseBody } from "../../protocol/messageBody.ts";
import { foldName } from "../../protocol/names.ts";
import type { Thread, ThreadMessage } from "../../protocol/panel.ts";
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
 * Every inbox as threads of two, the one with the newest message first. `inboxes`: name of the recipient → its entries,
 * oldest first. `isDead`: whether nobody will ever read this entry, which its recipient has not read.
 */
export function threadsOf(
  inboxes: ReadonlyMap<string, readonly Entry[]>,
  people: People,
  limits: ThreadLimits = THREAD_LIMITS,
  isDead: (entry: Entry, to: string) => boolean = () => false,
): Thread[] {
  const pairs = new Map<string, ThreadMessage[]>();
  for (const [to, entries] of inboxes) {
    for (const entry of entries) {
      const id = pairId(entry.from, to);
      const messages = pairs.get(id);
      const message = threadMessage(entry, to, entry.read !== true && isDead(entry, to));
      if (messages) messages.push(message);
      else pairs.set(id, [message]);
    }
  }
  return [...pairs]
    .map(([id, messages]) => thread(id, messages.sort(byTime), people, limits))
    .sort((one, other) => lastTime(other) - lastTime(one));
}

/** Entries that wait for their reader; a request waits for the person instead, and is not counted. */
export function unreadOf(entries: readonly Entry[]): number {
  return entries.filter((entry) => isUnread(parseBody(entry.text).kind, entry.read === true)).length;
}

function isUnread(kind: MessageKind, settled: boolean): boolean {
  return !settled && kind !== "permission_request" && kind !== "plan_approval_request";
}

function pairId(one: string, other: string): string {
  return JSON.stringify([one, other].sort((a, b) => (foldName(a) < foldName(b) ? -1 : 1)));
}

function threadMessage(entry: Entry, to: string, dead: boolean): ThreadMessage {
  return {
    id: messageId(entry),
    from: entry.from,
    to,
    at: Date.parse(entry.timestamp) || 0,
    kind: parseBody(entry.text).kind,
    text: messageText(entry.text),
    summary: entry.summary ?? null,
    json: messageJson(entry),
    delivery: entry.read ? "read" : dead ? "dead" : "delivered",
  };
}

function thread(id: string, messages: ThreadMessage[], people: People, limits: ThreadLimits): Thread {
  const first = messages[0];
  const shown = newestThatFit(
    messages.slice(-limits.messages).map((message) => cut(message, limits.characters)),
    limits.total,
  );
  const a = people(first?.from ?? "");
  const b = people(first?.to ?? "");
  const unread = messages.filter(({ kind, delivery }) => isUnread(kind, delivery !== "delivered")).length;
  return { id, a, b, unread, messages: shown, omitted: messages.length - shown.length };
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

function byTime(one: ThreadMessage, other: ThreadMessage): number {
  return one.at - other.at;
}

function lastTime(of: Thread): number {
  return of.messages.at(-1)?.at ?? 0;
}
