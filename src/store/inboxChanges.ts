import { MusterError } from "../base/errors.ts";
import { isObject } from "../base/json.ts";
import { type Entry, entrySchema, messageId } from "../protocol/message.ts";

/** Bounds of an inbox file. */
const INBOX_LIMITS = {
  /** Beyond this many entries, or `bytes`, the oldest read ones move to the archive, */
  entries: 1_000,
  bytes: 4 * 1024 * 1024,
  /** all but so many. */
  keptRead: 200,
  /** A recipient with so many unread entries gets no more. */
  unread: 5_000,
} as const;

/** A raw inbox, split: what is an entry and what is not. */
export interface SortedInbox {
  entries: Entry[];
  bad: unknown[];
}

/** Splits a raw inbox into entries and malformed elements; one of these never hides the others. */
export function sortInbox(raw: readonly unknown[]): SortedInbox {
  const sorted: SortedInbox = { entries: [], bad: [] };
  for (const element of raw) {
    const parsed = entrySchema.safeParse(element);
    if (parsed.success && isShallow(element, DEEPEST)) sorted.entries.push(parsed.data);
    else sorted.bad.push(element);
  }
  return sorted;
}

/** What an append does: `next` is null where the entry is there already. */
export interface Appended {
  next: unknown[] | null;
  archived: unknown[];
  /** Ids that were there before. */
  before: string[];
}

/**
 * Adds an entry to a raw inbox once. `bytes` is the file's size. Throws `backlog_full`. What the bounds push out is in
 * `archived`; unknown fields of the others are untouched.
 */
export function appendEntry(raw: readonly unknown[], entry: Entry, agent: string, bytes: number): Appended {
  const id = messageId(entry);
  const before = raw.slice(-20).flatMap(rawId);
  if (raw.some((element) => rawId(element).includes(id))) return { next: null, archived: [], before };
  const unread = raw.filter((element) => !isRead(element)).length;
  if (unread >= INBOX_LIMITS.unread && entry.read !== true) throw backlogFull(agent, unread);
  const grown = [...raw, entry];
  const size = bytes + entry.text.length;
  if (grown.length <= INBOX_LIMITS.entries && size <= INBOX_LIMITS.bytes) return { next: grown, archived: [], before };
  const kept = grown.length > INBOX_LIMITS.entries ? INBOX_LIMITS.keptRead : 0;
  return { ...splitOldestRead(grown, kept), before };
}

/** Marks the entries of these ids as read; `changed`: how many were not. */
export function markEntriesRead(
  raw: readonly unknown[],
  ids: ReadonlySet<string>,
): { next: unknown[]; changed: number } {
  let changed = 0;
  const next = raw.map((element) => {
    if (isRead(element) || !rawId(element).some((id) => ids.has(id))) return element;
    changed += 1;
    return { ...(element as object), read: true };
  });
  return { next, changed };
}

/** Whether an element is an entry at first sight: most are, and need no closer look. */
export function isPlainEntry(element: unknown): boolean {
  if (!isObject(element)) return false;
  const { from, text, timestamp, muster, ...rest } = element;
  if (typeof from !== "string" || typeof text !== "string" || typeof timestamp !== "string") return false;
  return muster === undefined && Object.values(rest).every((value) => typeof value !== "object");
}

/** The element's id, or nothing where it is no entry. */
export function rawId(element: unknown): string[] {
  if (!isObject(element)) return [];
  if (typeof element["msg_id"] === "string") return [element["msg_id"]];
  const parsed = entrySchema.safeParse(element);
  return parsed.success ? [messageId(parsed.data)] : [];
}

function isRead(element: unknown): boolean {
  return isObject(element) && element["read"] === true;
}

function splitOldestRead(raw: readonly unknown[], keptRead: number): { next: unknown[]; archived: unknown[] } {
  let toMove = Math.max(0, raw.filter(isRead).length - keptRead);
  const next: unknown[] = [];
  const archived: unknown[] = [];
  for (const element of raw) {
    if (toMove > 0 && isRead(element)) {
      archived.push(element);
      toMove -= 1;
    } else next.push(element);
  }
  return { next, archived };
}

function backlogFull(agent: string, unread: number): MusterError {
  return new MusterError(
    "backlog_full",
    `Not sent: ${agent} has ${unread} unread messages, the most that are kept. Wait until it has read some.`,
  );
}

/** Nesting beyond this is no message of anybody, and too deep to be written again. */
const DEEPEST = 32;

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
