/** The part of the Messages API that the scripted server speaks: what it is sent, and the errors that it answers with. */

/** A block of a message; its other fields go by its type. */
export interface ContentBlock {
  type: string;
  [field: string]: unknown;
}

export interface ApiMessage {
  role: "user" | "assistant";
  content: string | ContentBlock[];
}

/** A checked request body of `POST /v1/messages`. */
export interface MessagesRequest {
  model: string;
  max_tokens: number;
  stream?: boolean;
  system?: string | ContentBlock[];
  messages: ApiMessage[];
  tools?: { name: string; description?: string; input_schema: Record<string, unknown> }[];
  thinking?: { type: "enabled" | "disabled" | "adaptive" | "between_tools"; budget_tokens?: number };
}

/** An error answer: HTTP status, `error.type` and `error.message` of its JSON body. */
export interface ApiError {
  status: number;
  type: string;
  message: string;
}

/** `error.type` of each HTTP status that the API answers with. */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The error of an HTTP status; a status without a type of its own is an `api_error`. */
export function apiError(status: number, message: string): ApiError {
  return { status, type: ERROR_TYPES[status] ?? "api_error", message };
}

/** That a script cannot go on: no fault of the API, and nothing that another model or another key would help. */
export function scriptError(status: 400 | 500, message: string): ApiError {
  return { status, type: "script_error", message };
}

/** The blocks of a message's content; a plain string is one text block. */
export function blocksOf(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The text blocks of a content, in order. */
export function textsOf(content: string | readonly ContentBlock[]): string[] {
  return blocksOf(content).flatMap((block) =>
    block.type === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}

/** The system prompt as one text. */
export function systemText(request: MessagesRequest): string {
  return request.system === undefined ? "" : textsOf(request.system).join("\n");
}

/** Who sends a request: the line `Your name: NAME` of its system prompt (`team-lead` for a lead), or undefined. */
export function memberNamed(request: MessagesRequest): string | undefined {
  return /^Your name: (.+)$/m.exec(systemText(request))?.[1]?.trim();
}
