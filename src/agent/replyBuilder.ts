import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages";
import { isObject, parseJson } from "../base/json.ts";
import { type ReplyBlock, replyBlockSchema, type Usage, ZERO_USAGE } from "../protocol/transcript.ts";
import { UNPARSED_INPUT } from "./toolCalls.ts";
import type { ModelEvent } from "./types.ts";

/** Makes a reply of the raw events of a stream (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export interface ReplyBuilder {
  /** Takes an event in; the result is what a reader of the stream may be told. */
  add(event: RawMessageStreamEvent): ModelEvent | undefined;
  /** Finished blocks, with all their fields. A call that a token limit cut is not one. */
  content(): ReplyBlock[];
  usage(): Usage;
  /** The model that answers, once it is known. */
  model(): string;
  stopReason(): string | undefined;
  /** `begun` from the first event on, `whole` after the last one of the protocol. */
  state(): "nothing" | "begun" | "whole";
}

interface OpenBlock {
  fields: Record<string, unknown>;
  json: string;
  finished: boolean;
}

const TOKEN_LIMITS: ReadonlySet<string | undefined> = new Set(["max_tokens", "model_context_window_exceeded"]);

/** `requested` is the model to name until the API has said which one it is. */
export function createReplyBuilder(requested: string): ReplyBuilder {
  const blocks = new Map<number, OpenBlock>();
  let usage = ZERO_USAGE;
  let model = requested;
  let stopReason: string | undefined;
  let state: ReturnType<ReplyBuilder["state"]> = "nothing";

  function add(event: RawMessageStreamEvent): ModelEvent | undefined {
    if (state === "nothing") state = "begun";
    switch (event.type) {
      case "message_start":
        model = event.message.model || model;
        usage = mergeUsage(usage, event.message.usage);
        return undefined;
      case "content_block_start":
        blocks.set(event.index, { fields: { ...event.content_block }, json: "", finished: false });
        return startOf(event.content_block);
      case "content_block_delta": {
        const block = blocks.get(event.index);
        return block && extend(block, event.delta);
      }
      case "content_block_stop": {
        const block = blocks.get(event.index);
        if (block) block.finished = true;
        return undefined;
      }
      case "message_delta":
        stopReason = event.delta.stop_reason ?? stopReason;
        usage = mergeUsage(usage, event.usage);
        return undefined;
      case "message_stop":
        state = "whole";
        return undefined;
      default: // kinds of event that came later than this code are to be passed over
        return undefined;
    }
  }

  return {
    add,
    content: () => [...blocks.values()].flatMap((block) => finish(block, TOKEN_LIMITS.has(stopReason))),
    usage: () => usage,
    model: () => model,
    stopReason: () => stopReason,
    state: () => state,
  };
}

type Start = Extract<RawMessageStreamEvent, { type: "content_block_start" }>["content_block"];
type Delta = Extract<RawMessageStreamEvent, { type: "content_block_delta" }>["delta"];

function startOf(block: Start): ModelEvent | undefined {
  return block.type === "tool_use" ? { type: "tool_use_started", id: block.id, name: block.name } : undefined;
}

function extend(block: OpenBlock, delta: Delta): ModelEvent | undefined {
  const { fields } = block;
  switch (delta.type) {
    case "text_delta":
      fields["text"] = textOf(fields["text"]) + delta.text;
      return { type: "text_delta", text: delta.text };
    case "thinking_delta":
      fields["thinking"] = textOf(fields["thinking"]) + delta.thinking;
      return { type: "thinking_delta", text: delta.thinking };
    case "signature_delta":
      fields["signature"] = delta.signature;
      return undefined;
    case "input_json_delta":
      block.json += delta.partial_json;
      return undefined;
    case "citations_delta":
      fields["citations"] = [...(Array.isArray(fields["citations"]) ? fields["citations"] : []), delta.citation];
      return undefined;
    default:
      return undefined;
  }
}

/** The block as a transcript holds it; nothing where it is unfinished or of a kind that this program never asks for. */
function finish({ fields, json, finished }: OpenBlock, tokenLimit: boolean): ReplyBlock[] {
  if (!finished) return [];
  if (fields["type"] !== "tool_use") return parseBlock(fields);
  const input = asObject(json === "" ? fields["input"] : parseJson(json));
  // A token limit also ends the block that it cuts. A beginning of a JSON object never parses, but an empty one would.
  if (tokenLimit && (json === "" || !input)) return [];
  return parseBlock({ ...fields, input: input ?? { [UNPARSED_INPUT]: json } });
}

function parseBlock(fields: Record<string, unknown>): ReplyBlock[] {
  const parsed = replyBlockSchema.safeParse(fields);
  return parsed.success ? [parsed.data] : [];
}

/** A copy of an object; undefined for anything else. */
function asObject(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? { ...value } : undefined;
}

/** Counts of later events are totals, so they replace earlier ones. */
function mergeUsage(usage: Usage, counts: Partial<Record<keyof Usage, number | null>> | undefined): Usage {
  return {
    input_tokens: counts?.input_tokens ?? usage.input_tokens,
    output_tokens: counts?.output_tokens ?? usage.output_tokens,
    cache_read_input_tokens: counts?.cache_read_input_tokens ?? usage.cache_read_input_tokens,
    cache_creation_input_tokens: counts?.cache_creation_input_tokens ?? usage.cache_creation_input_tokens,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
