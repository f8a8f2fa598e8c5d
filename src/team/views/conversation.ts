import type { ShownEntry } from "../../protocol/message.ts";
import type { ConversationItem } from "../../protocol/panel.ts";
import { type RecordOf, SHUTDOWN_AGREED, type TranscriptRecord, textOf } from "../../protocol/transcript.ts";
import { messageText } from "./messageText.ts";
import { type People, THE_PERSON } from "./people.ts";
import { toolArgument } from "./toolArgument.ts";
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
}

/** Longest output of a tool that is shown, in characters; its middle is left out. */
const DETAIL_LIMIT = 4_000;

/** A conversation without records; `cwd` as in `Conversation`. */
export function emptyConversation(cwd: string | null = null): Conversation {
  return { items: [], calls: new Map(), cwd };
}

/** Adds a record and says what changed, in order of places. A call's result changes the item of the call. */
export function addRecord(conversation: Conversation, record: TranscriptRecord, people: People): ConversationUpdate[] {
  switch (record.kind) {
    case "session":
      return conversation.items.length === 0 ? [] : append(conversation, [note(record, "muted", "Starts again.")]);
    case "input":
      return append(conversation, inputItems(record, people));
    case "reply":
      return addReply(conversation, record);
    case "tool_start":
      return [];
    case "tool_result":
      return addResult(conversation, record);
    case "run_end":
      return append(conversation, endItems(record));
  }
}

/**
 * The newest items that fit into `maxItems` and `maxCharacters`, for a view that starts to show a conversation. Where
 * older ones are left out, a note says how many, at the place before the first.
 */
export function conversationTail(
  conversation: Conversation,
  maxItems: number,
  maxCharacters: number,
): ConversationUpdate[] {
  const { items } = conversation;
  let first = items.length;
  for (let room = maxCharacters; first > 0 && items.length - first < maxItems; first -= 1) {
    room -= JSON.stringify(items[first - 1]).length;
    if (room < 0) break;
  }
  const shown = items.slice(first).map((item, index) => ({ seq: first + index, item }));
  if (first === 0) return shown;
  const at = items[first]?.at ?? 0;
  const text = first === 1 ? "1 earlier entry is not shown." : `${first} earlier entries are not shown.`;
  return [{ seq: first - 1, item: { type: "note", at, tone: "muted", text } }, ...shown];
}

function append(conversation: Conversation, items: ConversationItem[]): ConversationUpdate[] {
  const first = conversation.items.length;
  conversation.items.push(...items);
  return items.map((item, index) => ({ seq: first + index, item }));
}

function inputItems(record: RecordOf<"input">, people: People): ConversationItem[] {
  const text = textOf(record.content);
  const entries = unwrapEntries(text);
  if (entries) return entries.flatMap((entry) => entryItems(record, entry, people));
  const from = record.origin === "person" ? THE_PERSON : null;
  return [{ type: "input", at: time(record), origin: record.origin, from, text, summary: null }];
}

function entryItems(record: RecordOf<"input">, entry: ShownEntry, people: People): ConversationItem[] {
  const from = people(entry.from);
  const text = messageText(entry.text);
  const item: ConversationItem = {
    type: "input",
    at: time(record),
    origin: record.origin,
    from,
    text,
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
    if (block.type === "text" && block.text.trim() !== "") items.push({ type: "text", at, text: block.text });
    if (block.type !== "tool_use") continue;
    conversation.calls.set(block.id, conversation.items.length + items.length);
    const argument = fromFolder(toolArgument(block.name, block.input), conversation.cwd);
    items.push({ type: "tool", at, name: block.name, argument, state: "running", ms: null, detail: "" });
  }
  if (record.incomplete) items.push(note(record, "muted", "The reply was cut off here."));
  if (record.stopReason === "max_tokens") items.push(note(record, "muted", "The reply reached its longest length."));
  return append(conversation, items);
}

function fromFolder(argument: string, cwd: string | null): string {
  return cwd !== null && argument.startsWith(`${cwd}/`) ? argument.slice(cwd.length + 1) : argument;
}

function addResult(conversation: Conversation, record: RecordOf<"tool_result">): ConversationUpdate[] {
  const seq = conversation.calls.get(record.result.tool_use_id);
  const call = seq === undefined ? undefined : conversation.items[seq];
  if (seq === undefined || call?.type !== "tool") return [];
  const item: ConversationItem = {
    ...call,
    state: record.result.is_error ? "failed" : "ok",
    ms: record.ms,
    detail: shorten(textOf(record.result.content)),
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

function shorten(text: string): string {
  if (text.length <= DETAIL_LIMIT) return text;
  const head = text.slice(0, DETAIL_LIMIT * 0.75);
  const tail = text.slice(-DETAIL_LIMIT * 0.25);
  return `${head}\n… ${text.length - DETAIL_LIMIT} characters are not shown …\n${tail}`;
}

function time(record: TranscriptRecord): number {
  const ms = Date.parse(record.at);
  return Number.isNaN(ms) ? 0 : ms;
}
