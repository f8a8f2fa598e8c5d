import type { ContentBlock } from "../../src/demo/messagesApi.ts";

/** A body of `POST /v1/messages` with one user message and no tools, for tests to change. */
export function requestBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: "demo-scripted",
    max_tokens: 1000,
    system: "You are a member of a team.\nYour name: nora\nWork with care.",
    messages: [{ role: "user", content: "Hello." }],
    ...changes,
  };
}

/** Posts a body to a scripted server. */
export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "test", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** One event of a stream; fields go by its type. */
export interface StreamPart {
  type: string;
  message: { usage: Record<string, number> };
  delta: { type?: string; text?: string; partial_json?: string; stop_reason?: string; stop_details?: unknown };
  usage: Record<string, number>;
}

/** The events of a streamed answer. Rejects when the connection breaks. */
export async function readEvents(response: Response): Promise<StreamPart[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => JSON.parse(/^data: (.*)$/m.exec(part)![1]!));
}

/** A conversation with a scripted server, as a member's loop would hold it. */
export interface Conversation {
  readonly messages: { role: "user" | "assistant"; content: string | ContentBlock[] }[];
  /** Sends user content and keeps the reply; gives the reply's blocks. Throws the API's sentence for an error answer. */
  say(content: string | ContentBlock[]): Promise<ContentBlock[]>;
}

/** Starts a conversation of the member that `body` names. Replies are not streamed. */
export function converse(url: string, body: Record<string, unknown> = {}): Conversation {
  const messages: Conversation["messages"] = [];
  return {
    messages,
    async say(content) {
      messages.push({ role: "user", content });
      const response = await post(url, requestBody({ ...body, messages }));
      const answer = await response.json();
      if (!response.ok) throw new Error(answer.error.message);
      messages.push({ role: "assistant", content: answer.content });
      return answer.content;
    },
  };
}

/** A `tool_result` block for a call of a reply. */
export function resultOf(block: ContentBlock | undefined, text: string, isError = false): ContentBlock {
  return {
    type: "tool_result",
    tool_use_id: String(block?.["id"]),
    content: text,
    ...(isError ? { is_error: true } : {}),
  };
}

/** A tool definition that takes anything. */
export function toolNamed(name: string): Record<string, unknown> {
  return { name, description: name, input_schema: { type: "object" } };
}
