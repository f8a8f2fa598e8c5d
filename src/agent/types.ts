import type * as z from "zod";
import type { ErrorReason } from "../base/errors.ts";
import type {
  ImageBlock,
  InputBlock,
  InputOrigin,
  ReplyBlock,
  TextBlock,
  ToolUseBlock,
  TranscriptRecord,
  Usage,
} from "../protocol/transcript.ts";

/** One message of the Messages API: what `prepareRequest` makes of a transcript. */
export type ModelMessage =
  | { role: "user"; content: readonly unknown[] }
  | { role: "assistant"; content: readonly ReplyBlock[] };

/** A tool as the API is told of it; `input_schema` is JSON Schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

/** One request to the model. */
export interface ModelRequest {
  model: string;
  /** Parts of the system prompt; a cache mark goes behind each part with `cache`. */
  system: readonly { text: string; cache?: boolean }[];
  messages: readonly ModelMessage[];
  /** Text behind the last message that differs in every request: it stands after the cache mark and is never kept. */
  volatile?: string;
  tools: readonly ToolDefinition[];
  /** Upper bound of the reply, in tokens. */
  maxTokens: number;
  /** `off`: nothing is said of it; `between_tools`: only what it notes between tool calls, which comes as text. */
  thinking: "off" | "adaptive" | "between_tools";
}

/** Why a model gave no reply; `message` is one sentence for a person that says what to do. */
export interface ModelFailure {
  reason: Extract<ErrorReason, "no_key" | "api_unreachable" | "api_refused">;
  message: string;
  status?: number;
  retryable: boolean;
  /** Minimum wait that the API asked for. */
  retryAfterMs?: number;
  /** A cause that the caller can mend. */
  cause?: "prompt_too_long" | "request_too_large" | "overloaded" | "rate_limited" | "auth" | "spend_limit";
}

/** How a stream ended. `content` holds finished blocks only. */
export type ModelOutcome =
  | { kind: "reply"; content: ReplyBlock[]; stopReason: string; usage: Usage; model: string }
  | { kind: "cut"; content: ReplyBlock[]; usage: Usage; model: string; failure: ModelFailure }
  | { kind: "failed"; failure: ModelFailure }
  | { kind: "aborted"; content: ReplyBlock[]; usage: Usage; model: string };

/** Parts of a stream; the last one is always `finished`. */
export type ModelEvent =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  | { type: "tool_use_started"; id: string; name: string }
  /** The retry wrapper waits `delayMs` before it asks again; what was streamed so far is void. */
  | { type: "retrying"; attempt: number; delayMs: number; failure: ModelFailure }
  /** Nothing is sent before `until` (ms): the API has told somebody who shares it to wait. */
  | { type: "closed"; until: number }
  /** After one of these two: the request is sent now. */
  | { type: "asking" }
  | { type: "finished"; outcome: ModelOutcome };

/** A model. `stream` never rejects for failures of the provider or an abort: they are its last event. */
export interface Model {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** A call that a reply asks for. */
export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** Whether a call may run; `input` replaces the call's own. */
export type Authorization = { allow: true; input?: Record<string, unknown> } | { allow: false; reason: string };

/** What a tool is given besides its input. */
export interface ToolContext {
  toolUseId: string;
  signal: AbortSignal;
  /** Decides a further step of the same call (a page's redirect) as if it were a call of its own with this input. */
  authorize(input: Record<string, unknown>): Promise<Authorization>;
}

/** What a tool gives back. `endRun`: the run ends after this batch, for this reason. */
export interface ToolOutput {
  content: string | (TextBlock | ImageBlock)[];
  isError?: boolean;
  endRun?: string;
}

/**
 * A tool. `run` may throw: the loop turns that into an error result for the model. `input` has passed `inputSchema`.
 * `parallel`: safe beside other calls of the same batch (it changes nothing).
 */
export interface Tool<I = unknown> {
  name: string;
  description: string;
  inputSchema: z.ZodType<I>;
  parallel: boolean;
  /** It only waits for a decision: made again after a restart, it does nothing twice. */
  repeatable?: boolean;
  /** Runs when called, but is not told to the model: another name of a tool. */
  hidden?: boolean;
  run(input: I, context: ToolContext): Promise<ToolOutput>;
}

/** An input for the running agent: what `takeSteering` gives. */
export interface AgentInput {
  origin: InputOrigin;
  content: InputBlock[];
  msgIds?: string[];
}

/** What the loop tells while it runs. `emit` is awaited: a record is stored before anything that follows from it. */
export type AgentEvent =
  | { type: "record"; record: TranscriptRecord }
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  | { type: "retrying"; attempt: number; delayMs: number; failure: ModelFailure }
  | { type: "closed"; until: number }
  | { type: "asking" }
  | { type: "tool_start"; call: ToolCall }
  | { type: "tool_end"; id: string; name: string; ok: boolean; ms: number };

/** Everything that the loop needs from outside. Each wait ends when its signal aborts. */
export interface AgentPorts {
  model: Model;
  tools: readonly Tool[];
  authorize(call: ToolCall, signal: AbortSignal): Promise<Authorization>;
  /** What is sent, not what is kept. */
  prepareRequest(transcript: readonly TranscriptRecord[], signal: AbortSignal): Promise<ModelRequest>;
  /** The person's own words, taken before each request and when the run would rest. */
  takeSteering(signal: AbortSignal): Promise<AgentInput[]>;
  emit(event: AgentEvent): Promise<void>;
  now(): number;
}

/** Bounds of one run. */
export interface RunLimits {
  /** Requests to the model. */
  maxTurns: number;
  /** Replies in a row in which every tool call had input that its schema refused. */
  maxBadInputs: number;
}

/** How a run ended, as data. */
export type RunOutcome =
  | { kind: "completed" }
  | { kind: "aborted" }
  | { kind: "ended"; by: "tool" | "limit"; reason: string }
  | { kind: "failed"; failure: ModelFailure };

/** `tool_use` blocks of a reply, in order. */
export function toolCallsOf(content: readonly ReplyBlock[]): ToolCall[] {
  return content
    .filter((block): block is ToolUseBlock => block.type === "tool_use")
    .map(({ id, name, input }) => ({ id, name, input }));
}
