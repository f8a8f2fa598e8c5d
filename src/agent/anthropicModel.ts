import type { Anthropic } from "@anthropic-ai/sdk";
import type { Messages } from "@anthropic-ai/sdk/resources/messages/messages";
import { raceAbort } from "../base/abort.ts";
import { errorMessage } from "../base/errors.ts";
import { failureOf, noKey, silentApi, unfinished } from "./modelFailure.ts";
import { createReplyBuilder, type ReplyBuilder } from "./replyBuilder.ts";
import type { Model, ModelEvent, ModelFailure, ModelMessage, ModelOutcome, ModelRequest } from "./types.ts";

/** `baseUrl` and `apiKey` are all that decides where requests go: the environment is not read here. */
export interface AnthropicModelOptions {
  /** Asked for each request, so that a key may change. Undefined or empty: there is none. */
  apiKey: () => Promise<string | undefined>;
  /** Where the Messages API is spoken; the public one by default. */
  baseUrl?: string;
  fetch?: typeof globalThis.fetch;
  /** A stream that sends no byte for so long is given up. */
  idleTimeoutMs?: number;
}

const PUBLIC_API = "https://api.anthropic.com";
const IDLE_TIMEOUT_MS = 90_000;
/** Of the four cache marks of a request, the last is for the messages. */
const SYSTEM_CACHE_MARKS = 3;

/** The model behind the Messages API. One request per stream, no retries; the SDK is loaded with the first one, if not before. */
export function createAnthropicModel(options: AnthropicModelOptions): Model {
  return { stream: (request, signal) => streamReply(options, request, signal) };
}

/**
 * Loads what a first request needs, for a process whose first one comes soon: the SDK, and Node's `fetch`, which is loaded
 * when a name of it is read. Never rejects: what cannot be loaded is told by the request.
 */
export async function preloadClient(): Promise<void> {
  void globalThis.Headers;
  await import("./messagesClient.ts").catch(() => undefined);
}

async function* streamReply(
  options: AnthropicModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { baseUrl = PUBLIC_API, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const context = { address: addressOf(baseUrl), model: request.model, key: "" };
  const builder = createReplyBuilder(request.model);
  const watch = watchIdle(idleTimeoutMs, signal);
  let failure: ModelFailure | undefined;
  try {
    context.key = await raceAbort(readKey(options), signal);
    const messages = await openMessages({ ...options, baseUrl }, context.key, watch);
    for await (const event of await messages.create(requestBody(request), { signal: watch.signal })) {
      if (signal.aborted) break; // the rest of what has arrived comes too late
      const told = builder.add(event);
      if (told) yield told;
    }
  } catch (error) {
    failure = failureOf(error, builder.state() !== "nothing", context);
  } finally {
    watch.dispose();
  }
  if (watch.expired) failure = silentApi(context, idleTimeoutMs);
  yield {
    type: "finished",
    outcome: outcomeOf(builder, failure ?? unfinished(builder.state() !== "nothing", context), signal),
  };
}

/** `failure` counts where no whole reply came; what was finished by then is kept. */
function outcomeOf(builder: ReplyBuilder, failure: ModelFailure, signal: AbortSignal): ModelOutcome {
  const kept = { content: builder.content(), usage: builder.usage(), model: builder.model() };
  if (builder.state() === "whole") return { kind: "reply", ...kept, stopReason: builder.stopReason() ?? "end_turn" };
  if (signal.aborted) return { kind: "aborted", ...kept };
  return builder.state() === "nothing" ? { kind: "failed", failure } : { kind: "cut", ...kept, failure };
}

/** Rejects with MusterError "no_key". */
async function readKey({ apiKey }: AnthropicModelOptions): Promise<string> {
  const key = (await apiKey().catch((error: unknown) => Promise.reject(noKey(`: ${errorMessage(error)}`))))?.trim();
  if (!key) throw noKey("");
  if (!/^[\x21-\x7e]+$/.test(key)) throw noKey(": it holds characters that no key has");
  return key;
}

async function openMessages(
  { baseUrl, fetch = globalThis.fetch }: AnthropicModelOptions & { baseUrl: string },
  key: string,
  watch: IdleWatch,
): Promise<Messages> {
  const { createMessages } = await import("./messagesClient.ts");
  watch.touch();
  return createMessages({
    apiKey: key,
    authToken: null,
    baseURL: baseUrl,
    maxRetries: 0,
    fetch: touching(fetch, watch),
    logLevel: "off",
    openTelemetry: false,
  });
}

/** Pings are bytes too, but the SDK passes over them: so the watch looks at the body itself. */
function touching(fetch: typeof globalThis.fetch, watch: IdleWatch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    watch.touch();
    if (!response.ok || !response.body) return response;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          watch.touch();
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(body, response);
  };
}

interface IdleWatch {
  /** Aborts with the outer signal, and when the time is over. */
  readonly signal: AbortSignal;
  readonly expired: boolean;
  /** Begins the time anew. */
  touch(): void;
  dispose(): void;
}

/** The time runs from the first touch on. */
function watchIdle(ms: number, outer: AbortSignal): IdleWatch {
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  if (outer.aborted) controller.abort();
  outer.addEventListener("abort", onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  let expired = false;
  const expire = () => {
    expired = true;
    controller.abort();
  };
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    touch() {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = setTimeout(expire, ms);
    },
    dispose() {
      clearTimeout(timer);
      outer.removeEventListener("abort", onAbort);
    },
  };
}

function requestBody(request: ModelRequest): Anthropic.MessageCreateParamsStreaming {
  const { model, maxTokens, tools, thinking } = request;
  const system = systemBlocks(request.system);
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    messages: withVolatile(withCacheMark(request.messages), request.volatile),
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools: tools as Anthropic.Tool[] } : {}),
    ...(thinking === "off" ? {} : { thinking: thinkingParam(thinking) }),
  };
}

/** What a model thinks is asked for in words: what newer models say between tool calls is among it. */
function thinkingParam(thinking: "adaptive" | "between_tools"): Anthropic.ThinkingConfigParam {
  return thinking === "adaptive" ? { type: thinking, display: "summarized" } : { type: thinking };
}

function systemBlocks(parts: ModelRequest["system"]): Anthropic.TextBlockParam[] {
  const filled = parts.filter(({ text }) => text.trim() !== "");
  const marked = filled.filter(({ cache }) => cache).slice(-SYSTEM_CACHE_MARKS);
  return filled.map((part) => {
    const block: Anthropic.TextBlockParam = { type: "text", text: part.text };
    return marked.includes(part) ? { ...block, cache_control: { type: "ephemeral" } } : block;
  });
}

/** The mark goes on the last block of the last user message: the next request begins with all before it. */
function withCacheMark(messages: readonly ModelMessage[]): Anthropic.MessageParam[] {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const marked = messages.map((message, at) => {
    const last = message.content.at(-1);
    if (at !== index || typeof last !== "object") return message;
    return {
      ...message,
      content: [...message.content.slice(0, -1), { ...last, cache_control: { type: "ephemeral" } }],
    };
  });
  return marked as Anthropic.MessageParam[];
}

/** What differs in every request stands behind the mark, at the end of the last user message. */
function withVolatile(messages: Anthropic.MessageParam[], text: string | undefined): Anthropic.MessageParam[] {
  if (text === undefined || text.trim() === "") return messages;
  const block: Anthropic.TextBlockParam = { type: "text", text };
  const last = messages.at(-1);
  if (last?.role !== "user" || typeof last.content === "string")
    return [...messages, { role: "user", content: [block] }];
  return [...messages.slice(0, -1), { ...last, content: [...last.content, block] }];
}

/** The base URL as a person may see it: without a name and password. */
function addressOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  url.username = "";
  url.password = "";
  return url.href.replace(/\/$/, "");
}
