import { randomUUID } from "node:crypto";
import type { ContentBlock, MessagesRequest } from "./messagesApi.ts";
import type { Reply } from "./script.ts";
import { thinkingSignature } from "./thinkingSignature.ts";

/** The content blocks of a reply, with new ids for its calls. Thinking is left out where the request does not ask for it. */
export function replyBlocks(reply: Reply, request: MessagesRequest): ContentBlock[] {
  const thinks = request.thinking?.type === "adaptive" || request.thinking?.type === "enabled";
  return [
    ...(thinks && reply.thinking !== undefined
      ? [{ type: "thinking", thinking: reply.thinking, signature: thinkingSignature(reply.thinking) }]
      : []),
    ...(reply.text === undefined || reply.text === "" ? [] : [{ type: "text", text: reply.text, citations: null }]),
    ...(reply.calls ?? []).map(({ tool, input }) => ({
      type: "tool_use",
      id: newId("toolu_01"),
      name: tool,
      input,
      caller: { type: "direct" },
    })),
  ];
}

/** A new id of the API's form: the prefix and 22 hex digits. */
export function newId(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "").slice(0, 22);
}
