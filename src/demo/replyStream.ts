import type { ContentBlock } from "./messagesApi.ts";
import { newId } from "./replyBlocks.ts";
import { countTokens, type InputUsage } from "./usageMeter.ts";

/** A finished message as the API gives it. */
export interface ReplyMessage {
  model: string;
  blocks: readonly ContentBlock[];
  stopReason: string;
  /** Why a reply with the stop reason `refusal` was refused. */
  explanation?: string;
  inputUsage: InputUsage;
}

/** One server-sent event. `piece`: it carries a part of the text or of a tool's input. */
export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
  piece: boolean;
}

/** The body of an answer that is not streamed. */
export function messageBody(message: ReplyMessage): Record<string, unknown> {
  return {
    ...emptyMessage(message),
    content: message.blocks,
    ...ending(message),
    usage: usageOf(message, outputTokens(message.blocks)),
  };
}

/** The events of a streamed answer, in order. */
export function streamEvents(message: ReplyMessage): StreamEvent[] {
  const start = { ...emptyMessage(message), content: [], stop_reason: null, usage: usageOf(message, 1) };
  return [
    event("message_start", { message: start }),
    event("ping", {}),
    ...message.blocks.flatMap(blockEvents),
    ...endEvents(message),
  ];
}

/** The events that end a reply early: of its open block, where there is one, and of the message. */
export function earlyEnd(message: ReplyMessage, sent: readonly StreamEvent[]): StreamEvent[] {
  const open = sent.findLast((one) => one.name.startsWith("content_block_"));
  const stop = open === undefined || open.name === "content_block_stop" ? [] : [blockStop(Number(open.data["index"]))];
  return [...stop, ...endEvents(message)];
}

function endEvents(message: ReplyMessage): StreamEvent[] {
  const usage = { ...message.inputUsage, output_tokens: outputTokens(message.blocks) };
  return [event("message_delta", { delta: ending(message), usage }), event("message_stop", {})];
}

function emptyMessage(message: ReplyMessage): Record<string, unknown> {
  return {
    id: newId("msg_01"),
    type: "message",
    role: "assistant",
    model: message.model,
    stop_sequence: null,
    container: null,
  };
}

function ending(message: ReplyMessage): Record<string, unknown> {
  const details = { type: "refusal", category: null, explanation: message.explanation ?? null };
  return {
    stop_reason: message.stopReason,
    stop_sequence: null,
    stop_details: message.stopReason === "refusal" ? details : null,
  };
}

function usageOf(message: ReplyMessage, output: number): Record<string, unknown> {
  return {
    ...message.inputUsage,
    cache_creation: {
      ephemeral_5m_input_tokens: message.inputUsage.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: output,
    service_tier: "standard",
  };
}

function outputTokens(blocks: readonly ContentBlock[]): number {
  return countTokens(JSON.stringify(blocks));
}

function blockEvents(block: ContentBlock, index: number): StreamEvent[] {
  return [
    event("content_block_start", { index, content_block: begun(block) }),
    ...deltas(block).map((delta) => event("content_block_delta", { index, delta }, true)),
    blockStop(index),
  ];
}

/** A block as it is before its first piece. */
function begun(block: ContentBlock): ContentBlock {
  if (block.type === "text") return { ...block, text: "" };
  if (block.type === "thinking") return { ...block, thinking: "", signature: "" };
  return block.type === "tool_use" ? { ...block, input: {} } : block;
}

function deltas(block: ContentBlock): Record<string, unknown>[] {
  switch (block.type) {
    case "text":
      return pieces(String(block["text"])).map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return [
        ...pieces(String(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: block["signature"] },
      ];
    case "tool_use":
      return ["", ...pieces(JSON.stringify(block["input"]))].map((partial_json) => ({
        type: "input_json_delta",
        partial_json,
      }));
    default:
      return [];
  }
}

/** Cuts a text into pieces of a few words; a long text into at most 40, so that it does not take minutes. */
function pieces(text: string): string[] {
  const size = Math.max(16, Math.ceil(text.length / 40));
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "gu")) ?? [];
}

function blockStop(index: number): StreamEvent {
  return event("content_block_stop", { index });
}

function event(name: string, data: Record<string, unknown>, piece = false): StreamEvent {
  return { name, data: { type: name, ...data }, piece };
}
