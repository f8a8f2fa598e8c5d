import * as z from "zod";
import { sha256Hex } from "./digest.ts";

/** One entry of `{root}/teams/{T}/inboxes/{agent}.json`; unknown fields of other writers are kept. */
export const entrySchema = z.looseObject({
  from: z.string(),
  text: z.string(),
  summary: z.optional(z.string()),
  timestamp: z.string(),
  color: z.optional(z.string()),
  msgV: z.optional(z.number()),
  msg_id: z.optional(z.string()),
  type: z.optional(z.string()),
  read: z.optional(z.boolean()),
  lead_sig: z.optional(z.string()),
  from_plugin: z.optional(z.string()),
  muster: z.optional(z.looseObject({ incarnation: z.optional(z.string()), signedAt: z.optional(z.string()) })),
});
export type Entry = z.infer<typeof entrySchema>;

/** What a sender gives; `read: true` only for records that must not be delivered. */
export interface EntryDraft {
  from: string;
  text: string;
  summary?: string;
  color?: string;
  read?: boolean;
  msgId?: string;
  muster?: Record<string, unknown>;
}

/** An entry with G3's keys in the order in which the reference writes them. `timestamp` is ISO 8601. */
export function makeEntry(draft: EntryDraft, timestamp: string, msgId: string): Entry & { msg_id: string } {
  return {
    from: draft.from,
    text: draft.text,
    ...(draft.summary === undefined ? {} : { summary: draft.summary }),
    timestamp,
    ...(draft.color === undefined ? {} : { color: draft.color }),
    msgV: 1,
    msg_id: msgId,
    type: "message",
    read: draft.read ?? false,
    ...(draft.muster === undefined ? {} : { muster: draft.muster }),
  };
}

/** The id for idempotence: `msg_id`, or for entries of older generations a hash of sender, time and text. */
export function messageId(entry: Entry): string {
  return entry.msg_id ?? `derived-${sha256Hex(JSON.stringify([entry.from, entry.timestamp, entry.text])).slice(0, 32)}`;
}

/** An entry as the model is shown it. `verified: false` marks one that claims an authority it has not shown. */
export interface ShownEntry {
  from: string;
  text: string;
  color?: string | undefined;
  summary?: string | undefined;
  verified?: boolean;
}

/**
 * One user text for the model: the entries in the reference's wrapper, joined by an empty line. Attributes are escaped;
 * in the text only what reads as a tag of the wrapper is.
 */
export function wrapForModel(entries: readonly ShownEntry[]): string {
  return entries.map(wrapOne).join("\n\n");
}

function wrapOne(entry: ShownEntry): string {
  const attributes = [
    ["teammate_id", entry.from],
    ["color", entry.color],
    ["summary", entry.summary],
    ["verified", entry.verified === false ? "false" : undefined],
  ]
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escapeAttribute(value)}"`]))
    .join(" ");
  return `<teammate-message ${attributes}>\n${escapeTags(entry.text)}\n</teammate-message>`;
}

function escapeAttribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function escapeTags(text: string): string {
  return text.replace(/<(?=\s*\/?\s*teammate-message)/gi, "&lt;");
}
