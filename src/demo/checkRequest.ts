import { isObject } from "../base/json.ts";
import type { ApiMessage, ContentBlock, MessagesRequest } from "./messagesApi.ts";
import { blocksOf } from "./messagesApi.ts";
import { thinkingSignature } from "./thinkingSignature.ts";

/** A request that may be answered, or the sentence with which the API refuses it (HTTP 400). */
export type CheckedRequest = { ok: true; request: MessagesRequest } | { ok: false; message: string };

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_CACHE_MARKS = 4;

/** Checks a parsed body as the API does; the first fault is the one that is told. */
export function checkRequest(body: unknown): CheckedRequest {
  const message = faultOf(body);
  return message === undefined ? { ok: true, request: body as MessagesRequest } : { ok: false, message };
}

function faultOf(body: unknown): string | undefined {
  if (!isObject(body)) return "The request body must be a JSON object.";
  return (
    faultOfParameters(body) ??
    faultOfSystem(body["system"]) ??
    faultOfTools(body["tools"]) ??
    faultOfMessages(body["messages"]) ??
    faultOfToolUse(body["messages"] as ApiMessage[], body["tools"]) ??
    faultOfCacheMarks(body)
  );
}

function faultOfParameters(body: Record<string, unknown>): string | undefined {
  const { model, max_tokens: maxTokens, stream, thinking } = body;
  if (typeof model !== "string" || model === "") return "model: Field required";
  if (maxTokens === undefined) return "max_tokens: Field required";
  if (!Number.isInteger(maxTokens) || (maxTokens as number) < 1)
    return "max_tokens: Input should be an integer of at least 1";
  if (stream !== undefined && typeof stream !== "boolean") return "stream: Input should be a valid boolean";
  return thinking === undefined ? undefined : faultOfThinking(thinking, maxTokens as number);
}

function faultOfThinking(thinking: unknown, maxTokens: number): string | undefined {
  if (!isObject(thinking)) return "thinking: Input should be an object";
  const { type, budget_tokens: budget } = thinking;
  if (type === "disabled" || type === "adaptive" || type === "between_tools") return undefined;
  if (type !== "enabled") return "thinking.type: Input should be 'enabled', 'disabled', 'adaptive' or 'between_tools'";
  if (!Number.isInteger(budget) || (budget as number) < 1024) {
    return "thinking.enabled.budget_tokens: Input should be an integer of at least 1024";
  }
  return (budget as number) < maxTokens ? undefined : "max_tokens: must be greater than thinking.budget_tokens";
}

function faultOfSystem(system: unknown): string | undefined {
  if (system === undefined || typeof system === "string") return undefined;
  if (!Array.isArray(system)) return "system: Input should be a string or a list of text blocks";
  return first(system, (block, index) => {
    if (!isBlock(block) || block.type !== "text") return `system.${index}: Input should be a text block`;
    return faultOfText(block, `system.${index}`);
  });
}

function faultOfTools(tools: unknown): string | undefined {
  if (tools === undefined) return undefined;
  if (!Array.isArray(tools)) return "tools: Input should be a list";
  const names = new Set<string>();
  return first(tools, (tool, index) => {
    if (!isObject(tool) || typeof tool["name"] !== "string" || !NAME.test(tool["name"])) {
      return `tools.${index}.name: String should match pattern '${NAME.source}'`;
    }
    if (names.has(tool["name"])) return "tools: Tool names must be unique.";
    names.add(tool["name"]);
    const schema = tool["input_schema"];
    if (!isObject(schema)) return `tools.${index}.input_schema: Field required`;
    return schema["type"] === "object" ? undefined : `tools.${index}.input_schema.type: Input should be 'object'`;
  });
}

function faultOfMessages(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "messages: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  const fault = first(messages, (message, index) => faultOfMessage(message, `messages.${index}`));
  if (fault !== undefined) return fault;
  if ((messages[0] as ApiMessage).role !== "user") return 'messages: first message must use the "user" role';
  if ((messages.at(-1) as ApiMessage).role !== "user") {
    return "messages: the last message must be of the user; this model does not go on from a begun reply";
  }
  return undefined;
}

function faultOfMessage(message: unknown, at: string): string | undefined {
  if (!isObject(message)) return `${at}: Input should be an object`;
  const { role, content } = message;
  if (role !== "user" && role !== "assistant") {
    return `${at}.role: ${JSON.stringify(role)} is neither "user" nor "assistant"`;
  }
  if (typeof content === "string")
    return content === "" ? `${at}: ${role} messages must have non-empty content` : undefined;
  if (!Array.isArray(content)) return `${at}.content: Input should be a string or a list of blocks`;
  if (content.length === 0) return `${at}: ${role} messages must have non-empty content`;
  return first(content, (block, index) => faultOfBlock(block, role, `${at}.content.${index}`));
}

/** What each role may hold. */
const ALLOWED: Readonly<Record<"user" | "assistant", readonly string[]>> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
};

function faultOfBlock(block: unknown, role: "user" | "assistant", at: string): string | undefined {
  if (!isBlock(block)) return `${at}.type: Field required`;
  if (!ALLOWED[role].includes(block.type)) {
    return `${at}: a message of the role "${role}" cannot have \`${block.type}\` blocks`;
  }
  if (block.type === "text") return faultOfText(block, at);
  if (block.type === "thinking") return faultOfThinkingBlock(block, at);
  if (block.type === "tool_use") return faultOfToolUseBlock(block, at);
  if (block.type === "tool_result") return faultOfToolResultBlock(block, at);
  return undefined;
}

function faultOfText(block: ContentBlock, at: string): string | undefined {
  if (typeof block["text"] !== "string") return `${at}.text: Field required`;
  if (block["text"] === "") return `${at}: text content blocks must be non-empty`;
  return block["text"].trim() === "" ? `${at}: text content blocks must contain non-whitespace text` : undefined;
}

function faultOfThinkingBlock(block: ContentBlock, at: string): string | undefined {
  if (typeof block["signature"] !== "string") return `${at}.signature: Field required`;
  if (block["cache_control"] !== undefined) return `${at}.cache_control: Extra inputs are not permitted`;
  return block["signature"] === thinkingSignature(String(block["thinking"]))
    ? undefined
    : `${at}: Invalid \`signature\` in \`thinking\` block`;
}

function faultOfToolUseBlock(block: ContentBlock, at: string): string | undefined {
  if (typeof block["id"] !== "string" || !/^[a-zA-Z0-9_-]+$/.test(block["id"])) {
    return `${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  }
  if (typeof block["name"] !== "string" || !NAME.test(block["name"])) {
    return `${at}.name: String should match pattern '${NAME.source}'`;
  }
  return isObject(block["input"]) ? undefined : `${at}.input: Input should be a valid dictionary`;
}

function faultOfToolResultBlock(block: ContentBlock, at: string): string | undefined {
  if (typeof block["tool_use_id"] !== "string") return `${at}.tool_use_id: Field required`;
  const content = block["content"];
  if (content === undefined || typeof content === "string") return undefined;
  if (!Array.isArray(content)) return `${at}.content: Input should be a string or a list of blocks`;
  return first(content, (inner, index) => {
    if (!isBlock(inner)) return `${at}.content.${index}.type: Field required`;
    return inner.type === "text" ? faultOfText(inner, `${at}.content.${index}`) : undefined;
  });
}

/** Every call of a reply is answered once, first thing in the message after it, and nothing else is. */
function faultOfToolUse(messages: readonly ApiMessage[], tools: unknown): string | undefined {
  const seen = new Set<string>();
  return first(joinRoles(messages), (blocks, index, all) => {
    const called = idsOf(blocks, "tool_use", "id");
    if (called.length > 0 && !Array.isArray(tools)) {
      return `messages.${index}: tool_use in a request that defines no tools`;
    }
    const twice = called.find((id, at) => seen.has(id) || called.indexOf(id) !== at);
    if (twice !== undefined) return `messages.${index}: \`tool_use\` ids must be unique (${twice})`;
    for (const id of called) seen.add(id);
    return faultOfResults(called, all[index + 1], index) ?? faultOfStrays(blocks, all[index - 1], index);
  });
}

function faultOfResults(
  called: readonly string[],
  next: readonly ContentBlock[] | undefined,
  index: number,
): string | undefined {
  const answered = next === undefined ? [] : idsOf(next, "tool_result", "tool_use_id");
  const open = called.filter((id) => !answered.includes(id));
  if (open.length > 0) {
    return `messages.${index}: tool_use without a tool_result in the next message: ${open.join(", ")}`;
  }
  const twice = answered.find((id, at) => answered.indexOf(id) !== at);
  if (twice !== undefined) {
    return `messages.${index + 1}: more than one tool_result for the tool_use ${twice}`;
  }
  const late = next?.findIndex(
    (block, at) => block.type === "tool_result" && at > 0 && next[at - 1]?.type !== "tool_result",
  );
  return late === undefined || late < 0
    ? undefined
    : `messages.${index + 1}.content.${late}: tool_result blocks must come before the other blocks of their message`;
}

function faultOfStrays(
  blocks: readonly ContentBlock[],
  previous: readonly ContentBlock[] | undefined,
  index: number,
): string | undefined {
  const called = previous === undefined ? [] : idsOf(previous, "tool_use", "id");
  const stray = idsOf(blocks, "tool_result", "tool_use_id").find((id) => !called.includes(id));
  return stray === undefined
    ? undefined
    : `messages.${index}: tool_result for ${stray}, which is no tool_use of the message before`;
}

/** The blocks of the conversation by turn: messages of one role in a row count as one, as the API joins them. */
function joinRoles(messages: readonly ApiMessage[]): ContentBlock[][] {
  const turns: ContentBlock[][] = [];
  messages.forEach((message, index) => {
    const blocks = blocksOf(message.content);
    const last = turns.at(-1);
    if (last !== undefined && messages[index - 1]?.role === message.role) last.push(...blocks);
    else turns.push([...blocks]);
  });
  return turns;
}

function faultOfCacheMarks(body: Record<string, unknown>): string | undefined {
  const lists = [
    body["tools"],
    body["system"],
    ...(body["messages"] as ApiMessage[]).map((message) => message.content),
  ];
  const marks = lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((item) => isObject(item) && item["cache_control"]);
  return marks.length <= MAX_CACHE_MARKS
    ? undefined
    : `cache_control: at most ${MAX_CACHE_MARKS} blocks may have it, found ${marks.length}`;
}

function idsOf(blocks: readonly ContentBlock[], type: string, field: string): string[] {
  return blocks.filter((block) => block.type === type).map((block) => String(block[field]));
}

/** The first fault that `check` finds in a list. */
function first<T>(
  list: readonly T[],
  check: (item: T, index: number, all: readonly T[]) => string | undefined,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const fault = check(item, index, list);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isBlock(value: unknown): value is ContentBlock {
  return isObject(value) && typeof value["type"] === "string";
}
