import { createHash } from "node:crypto";
import type { Usage } from "../protocol/transcript.ts";
import type { ContentBlock, MessagesRequest } from "./messagesApi.ts";
import { blocksOf } from "./messagesApi.ts";

/** What a request costs before the reply, in tokens. */
export type InputUsage = Omit<Usage, "output_tokens">;

/** Counts tokens as the API would: with a prompt cache that later requests of the same prefix read from. */
export interface UsageMeter {
  measure(request: MessagesRequest): InputUsage;
}

/** Prefixes below this many tokens are not cached. */
const CACHE_MINIMUM = 1024;

/** A meter with an empty cache. */
export function createUsageMeter(): UsageMeter {
  const cached = new Set<string>();
  return { measure: (request) => measure(request, cached) };
}

/** Tokens of a text, estimated at four characters each; at least 1. */
export function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

interface Prefix {
  tokens: number;
  hash: string;
  marked: boolean;
}

function measure(request: MessagesRequest, cached: Set<string>): InputUsage {
  const prefixes = prefixesOf(request);
  const total = prefixes.at(-1)?.tokens ?? 0;
  const large = prefixes.filter((prefix) => prefix.tokens >= CACHE_MINIMUM);
  const marked = large.findLast((prefix) => prefix.marked);
  if (marked === undefined) return { input_tokens: total, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const known = large.findLast((prefix) => prefix.tokens <= marked.tokens && cached.has(prefix.hash));
  for (const prefix of large) if (prefix.tokens <= marked.tokens) cached.add(prefix.hash);
  const read = known?.tokens ?? 0;
  return {
    input_tokens: total - marked.tokens,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: marked.tokens - read,
  };
}

/** Every beginning of the prompt that ends with a block, in the API's order: tools, system, messages. */
function prefixesOf(request: MessagesRequest): Prefix[] {
  const blocks: Record<string, unknown>[] = [
    ...(request.tools ?? []).map((tool) => ({ ...tool })),
    ...blocksOf(request.system ?? []),
    ...request.messages.flatMap(({ role, content }) => blocksOf(content).map((block) => ({ role, ...block }))),
  ];
  let tokens = 0;
  let hash = request.model;
  return blocks.map((block) => {
    const text = withoutMark(block);
    tokens += countTokens(text);
    hash = createHash("sha256").update(hash).update(text).digest("base64");
    return { tokens, hash, marked: block["cache_control"] !== undefined };
  });
}

/** A block's text; marks on its own parts do not count as a change of the prompt either. */
function withoutMark(block: Record<string, unknown> | ContentBlock): string {
  return JSON.stringify(block, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}
