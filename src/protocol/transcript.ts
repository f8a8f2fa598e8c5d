import * as z from "zod";

/**
 * Transcripts are append-only JSON Lines, one record a line (`{root}/teams/{T}/muster/transcripts/{agent}.jsonl`).
 * Blocks have the shapes of the Messages API and keep fields that are not named here, thinking signatures included.
 */

const textBlockSchema = z.looseObject({ type: z.literal("text"), text: z.string() });
const thinkingBlockSchema = z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });
const redactedThinkingBlockSchema = z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() });
const imageBlockSchema = z.looseObject({ type: z.literal("image"), source: z.looseObject({ type: z.string() }) });
const toolUseBlockSchema = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});
const toolResultBlockSchema = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(z.union([textBlockSchema, imageBlockSchema]))]),
  is_error: z.optional(z.boolean()),
});

export type TextBlock = z.infer<typeof textBlockSchema>;
export type ThinkingBlock = z.infer<typeof thinkingBlockSchema>;
export type ImageBlock = z.infer<typeof imageBlockSchema>;
export type ToolUseBlock = z.infer<typeof toolUseBlockSchema>;
export type ToolResultBlock = z.infer<typeof toolResultBlockSchema>;

/** What a model can reply with. */
export const replyBlockSchema = z.discriminatedUnion("type", [
  textBlockSchema,
  thinkingBlockSchema,
  redactedThinkingBlockSchema,
  toolUseBlockSchema,
]);
export type ReplyBlock = z.infer<typeof replyBlockSchema>;

/** What is put before a model from outside. */
const inputBlockSchema = z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema]);
export type InputBlock = z.infer<typeof inputBlockSchema>;

/** Tokens of one reply, as the API counts them. */
const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Nothing was used: what sums begin with. */
export const ZERO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** Every token that the API counted: read, written, and kept for later. */
export function totalTokens(usage: Usage): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}

/** The sum of two usages, field by field. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
  };
}

/**
 * Who put an input before the model: `person` their own words, `mail` entries of the inbox, `task` a claimed or freed
 * task, `digest` the lead's news of a team at rest, `system` the runtime itself.
 */
const inputOriginSchema = z.enum(["person", "prompt", "mail", "task", "digest", "system"]);
export type InputOrigin = z.infer<typeof inputOriginSchema>;

/** The reason of the `run_end` of a teammate that agreed to shut down. */
export const SHUTDOWN_AGREED = "shutdown";

/** How a run ended. */
const runOutcomeKindSchema = z.enum(["completed", "aborted", "ended", "failed"]);

const at = z.string();

/** One line of a transcript. `at` is ISO 8601; `ms` are milliseconds. */
export const transcriptRecordSchema = z.discriminatedUnion("kind", [
  /** The transcript belongs to this incarnation of a member from here on. */
  z.looseObject({ kind: z.literal("session"), at, sessionId: z.string(), agent: z.string() }),
  /** Put before the model. `msgIds`: the inbox entries that it holds (invariant 5 of the shared files). */
  z.looseObject({
    kind: z.literal("input"),
    at,
    origin: inputOriginSchema,
    content: z.array(inputBlockSchema),
    msgIds: z.optional(z.array(z.string())),
  }),
  /** A reply. `incomplete`: its stream was cut or aborted; unfinished tool calls are left out of `content`. */
  z.looseObject({
    kind: z.literal("reply"),
    at,
    model: z.string(),
    content: z.array(replyBlockSchema),
    stopReason: z.nullable(z.string()),
    usage: usageSchema,
    incomplete: z.optional(z.boolean()),
  }),
  /** What the model was asked beside the conversation, to shorten it. Only what it cost is kept. */
  z.looseObject({ kind: z.literal("summary"), at, model: z.string(), usage: usageSchema }),
  /** Written before a tool runs: a call with a start and no result may have run. */
  z.looseObject({ kind: z.literal("tool_start"), at, toolUseId: z.string(), name: z.string() }),
  z.looseObject({ kind: z.literal("tool_result"), at, result: toolResultBlockSchema, ms: z.number() }),
  z.looseObject({ kind: z.literal("run_end"), at, outcome: runOutcomeKindSchema, reason: z.optional(z.string()) }),
]);
export type TranscriptRecord = z.infer<typeof transcriptRecordSchema>;

/** A record of one kind. */
export type RecordOf<K extends TranscriptRecord["kind"]> = Extract<TranscriptRecord, { kind: K }>;

/** Ids of the tool calls whose result was an error: refused ones too, whose start stands in a transcript like any other. */
export function failedCalls(records: readonly TranscriptRecord[]): Set<string> {
  return new Set(
    records.flatMap((record) =>
      record.kind === "tool_result" && record.result.is_error ? [record.result.tool_use_id] : [],
    ),
  );
}

/** The text of blocks, images and other kinds left out, joined by newlines. */
export function textOf(content: string | readonly { type: string; text?: unknown }[]): string {
  if (typeof content === "string") return content;
  return content
    .flatMap((block) => (block.type === "text" && typeof block.text === "string" ? [block.text] : []))
    .join("\n");
}

/** The text of the last reply, trimmed; empty where it has none. */
export function lastReplyText(records: readonly TranscriptRecord[]): string {
  const reply = records.findLast((record) => record.kind === "reply");
  return reply?.kind === "reply" ? textOf(reply.content).trim() : "";
}

/** Where the records of the newest incarnation begin: behind the last `session`; those before are of members that are gone. */
export function newestIncarnation(records: readonly TranscriptRecord[]): number {
  return records.findLastIndex(({ kind }) => kind === "session") + 1;
}
