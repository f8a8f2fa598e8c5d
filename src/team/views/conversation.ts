import path from "node:path";
import { nameIn } from "../../base/pathIn.ts";
import type { ShownEntry } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import { splitImageLines } from "../../protocol/messageImage.ts";
import type { ConversationItem } from "../../protocol/panel.ts";
import { type RecordOf, SHUTDOWN_AGREED, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { messageText } from "./messageText.ts";
import { type People, THE_PERSON } from "./people.ts";
import { forgetOrders, noOrders, type Orders, takeOrders } from "./told.ts";
import { namedArgument } from "./toolArgument.ts";
import { callDiff, imagesOf, placedDiff, shownDetail } from "./toolBody.ts";
import { unwrapEntries } from "./unwrapEntries.ts";

/** An item at its place; a place that exists is replaced. */
export interface ConversationUpdate {
  seq: number;
  item: ConversationItem;
}

/** What a transcript looks like to a person. It grows by `addRecord` only. */
export interface Conversation {
  readonly items: ConversationItem[];
  /** Id of a tool call → the place of its item. */
  readonly calls: Map<string, number>;
  /** The project's folder: paths in it are told from there. Null: as they are. */
  readonly cwd: string | null;
  /** Who told the member what it does. */
  readonly orders: Orders;
}

/** A conversation without records; `cwd` as in `Conversation`. */
export function emptyConversation(cwd: string | null = null): Conversation {
  return { items: [], calls: new Map(), cwd, orders: noOrders() };
}

/** Adds a record and says what changed, in order of places. A call's result changes the item of the call. */
export function addRecord(conversation: Conversation, record: TranscriptRecord, people: People): ConversationUpdate[] {
  switch (record.kind) {
    case "session":
      forgetOrders(conversation.orders);
      return conversation.items.length === 0 ? [] : append(conversation, [note(record, "muted", "Starts again.")]);
    case "input":
      return addInput(conversation, record, people);
    case "reply":
      return addReply(conversation, record);
    case "summary":
    case "tool_start":
      return [];
    case "tool_result":
      return addResult(conversation, record);
    case "run_end":
      conversation.orders.begun = false;
      return append(conversation, endItems(record));
  }
}

/** Items of a conversation in order of places, and the number of those before them. */
export interface ConversationPart {
  updates: ConversationUpdate[];
  earlier: number;
}

/**
 * Items before the place `end`, by default the newest: as many as fit into `maxItems` and `maxCharacters`, one at least.
 */
export function conversationPart(
  { items }: Conversation,
  { maxItems, maxCharacters, end = items.length }: PartBounds,
): ConversationPart {
  const last = Math.min(end, items.length);
  let first = last;
  for (let room = maxCharacters; first > 0 && last - first < maxItems; first -= 1) {
    room -= JSON.stringify(items[first - 1]).length;
    if (room < 0 && first < last) break;
  }
  return { updates: items.slice(first, last).map((item, index) => ({ seq: first + index, item })), earlier: first };
}

export interface PartBounds {
  maxItems: number;
  maxCharacters: number;
  end?: number;
}

function append(conversation: Conversation, items: ConversationItem[]): ConversationUpdate[] {
  const first = conversation.items.length;
  conversation.items.push(...items);
  return items.map((item, index) => ({ seq: first + index, item }));
}

function addInput(conversation: Conversation, record: RecordOf<"input">, people: People): ConversationUpdate[] {
  const items = inputItems(record, people);
  const ids = record.msgIds ?? [];
  takeOrders(conversation.orders, record.origin, { items, first: conversation.items.length, ids });
  return append(conversation, items);
}

function inputItems(record: RecordOf<"input">, people: People): ConversationItem[] {
  const text = textOf(record.content);
  const entries = unwrapEntries(text);
  if (entries) return entries.flatMap((entry) => entryItems(record, entry, people));
  const from = record.origin === "person" ? THE_PERSON : null;
  const images = imagesOf(record.content);
  const said = record.origin === "digest" ? afterLists(text) : text;
  const shown = images.images ? splitImageLines(text).text : said; // the images themselves are told of
  return [{ type: "input", at: time(record), origin: record.origin, from, text: shown, summary: null, ...images }];
}

/** What follows a list begins a paragraph of its own: in Markdown it would go on with the list's last row. */
function afterLists(text: string): string {
  return text.replace(/^(- .*)\n(?!- )/gm, "$1\n\n");
}

function entryItems(record: RecordOf<"input">, entry: ShownEntry, people: People): ConversationItem[] {
  const from = people(entry.from);
  const ours = parseBody(entry.text).kind !== "message";
  const item: ConversationItem = {
    type: "input",
    at: time(record),
    origin: record.origin,
    from,
    text: messageText(entry.text),
    ...(ours ? { ours } : {}),
    summary: entry.summary ?? null,
  };
  if (entry.verified !== false) return [item];
  const claim = `The next message says that it is from ${from.displayName}, but it was not sent by this team.`;
  return [note(record, "muted", claim), item];
}

function addReply(conversation: Conversation, record: RecordOf<"reply">): ConversationUpdate[] {
  const at = time(record);
  const items: ConversationItem[] = [];
  for (const block of record.content) {
    if (block.type === "thinking" && block.thinking.trim() !== "")
      items.push({ type: "text", at, text: block.thinking, aside: true });
    if (block.type === "text" && block.text.trim() !== "") items.push({ type: "text", at, text: block.text });
    if (block.type !== "tool_use") continue;
    conversation.calls.set(block.id, conversation.items.length + items.length);
    const argument = namedArgument(block.name, block.input, conversation.cwd);
    const diff = callDiff(block);
    const shown = diff && { diff: { ...diff, path: nameIn(conversation.cwd, diff.path, path) } };
    items.push({ type: "tool", at, name: block.name, argument, state: "running", ms: null, detail: "", ...shown });
  }
  if (record.incomplete)
    items.push(note(record, "muted", items.length > 0 ? "The reply was cut off here." : "The reply was cut off."));
  if (record.stopReason === "max_tokens") items.push(note(record, "muted", "The reply reached its longest length."));
  return append(conversation, items);
}

function addResult(conversation: Conversation, record: RecordOf<"tool_result">): ConversationUpdate[] {
  const seq = conversation.calls.get(record.result.tool_use_id);
  const call = seq === undefined ? undefined : conversation.items[seq];
  if (seq === undefined || call?.type !== "tool") return [];
  const text = textOf(record.result.content);
  const item: ConversationItem = {
    ...call,
    state: record.result.is_error ? "failed" : "ok",
    ms: record.ms,
    ...shownDetail(text),
    ...(call.diff && !record.result.is_error ? { diff: placedDiff(call.diff, text) } : {}),
    ...imagesOf(record.result.content),
  };
  conversation.items[seq] = item;
  return [{ seq, item }];
}

function endItems(record: RecordOf<"run_end">): ConversationItem[] {
  const reason = record.reason;
  switch (record.outcome) {
    case "completed":
      return [];
    case "aborted":
      return [note(record, "muted", "Interrupted.")];
    case "ended":
      if (reason === SHUTDOWN_AGREED) return [note(record, "muted", "Has stopped, as asked.")];
      return reason ? [note(record, "muted", reason)] : [];
    case "failed":
      return [note(record, "error", reason ?? "The run failed.")];
  }
}

function note(record: TranscriptRecord, tone: "muted" | "error", text: string): ConversationItem {
  return { type: "note", at: time(record), tone, text };
}

function time(record: TranscriptRecord): number {
  const ms = Date.parse(record.at);
  return Number.isNaN(ms) ? 0 : ms;
}
