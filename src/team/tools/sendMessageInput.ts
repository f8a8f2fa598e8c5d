import * as z from "zod";
import { MusterError } from "../../base/errors.ts";
import { isProtocolText } from "../../protocol/messageBody.ts";

/**
 * The input of SendMessage in both of its forms: `{type, recipient, content, summary, request_id, approve}` (2.1.41) and
 * `{to, message, summary}` with a text or an object as message (2.1.112 and later).
 */
export const sendMessageInputSchema = z.object({
  type: z.optional(z.enum(["message", "broadcast", "shutdown_request", "shutdown_response", "plan_approval_response"])),
  recipient: z.optional(z.string()).describe("Name of the member"),
  content: z.optional(z.string()).describe("The text, the reason of a request, or the reason of a refusal"),
  summary: z.optional(z.string()).describe("The message in five to ten words, for previews"),
  request_id: z.optional(z.string()).describe("The id of the request that is answered"),
  approve: z.optional(z.boolean()).describe("The answer to a request"),
  to: z.optional(z.string()).describe("Another name of recipient; * reaches every member"),
  message: z
    .optional(
      z.union([
        z.string(),
        z.object({
          type: z.enum(["shutdown_request", "shutdown_response", "plan_approval_response"]),
          request_id: z.optional(z.string()),
          approve: z.optional(z.boolean()),
          reason: z.optional(z.string()),
          feedback: z.optional(z.string()),
        }),
      ]),
    )
    .describe("Another form of content"),
});

/** What a SendMessage call asks for. `to: null` reaches every member. */
export type Outgoing =
  | { kind: "message"; to: string | null; text: string; summary: string }
  | { kind: "shutdown_request"; to: string | null; reason: string }
  | { kind: "shutdown_response"; requestId: string; approve: boolean; reason: string }
  | { kind: "plan_approval_response"; requestId: string; approve: boolean; feedback: string };

const MAX_SUMMARY = 100;

/** Reads a call's input. Throws `usage` with what is missing. */
export function parseOutgoing(input: z.infer<typeof sendMessageInputSchema>): Outgoing {
  const object = typeof input.message === "object" ? input.message : undefined;
  const type = input.type ?? object?.type ?? (input.to === "*" ? "broadcast" : "message");
  const text =
    typeof input.message === "string" ? input.message : (input.content ?? object?.reason ?? object?.feedback ?? "");
  switch (type) {
    case "message":
    case "broadcast":
      return {
        kind: "message",
        to: recipient(input, type === "broadcast"),
        text: plainText(text),
        summary: summaryOf(input.summary, text),
      };
    case "shutdown_request":
      return { kind: "shutdown_request", to: recipient(input, false), reason: text };
    case "shutdown_response":
      return { kind: "shutdown_response", ...answer(input, object), reason: text };
    case "plan_approval_response":
      return { kind: "plan_approval_response", ...answer(input, object), feedback: text };
  }
}

function recipient(input: z.infer<typeof sendMessageInputSchema>, broadcast: boolean): string | null {
  const to = input.recipient ?? input.to;
  if (broadcast || to === "*") return null;
  if (to === undefined || to.trim() === "")
    throw new MusterError("usage", "The message was not sent: name a recipient.");
  return to;
}

function plainText(text: string): string {
  if (text.trim() === "") throw new MusterError("usage", "The message was not sent: it has no content.");
  if (isProtocolText(text)) {
    throw new MusterError(
      "not_allowed",
      "The message was not sent: its content is a protocol message. Use the type for it, or say it in words.",
    );
  }
  return text;
}

function summaryOf(given: string | undefined, text: string): string {
  const source = (given?.trim() || text.trim().split("\n", 1)[0]) ?? "";
  const chars = [...source];
  return chars.length > MAX_SUMMARY ? `${chars.slice(0, MAX_SUMMARY - 1).join("")}…` : source;
}

function answer(
  input: { request_id?: string | undefined; approve?: boolean | undefined },
  object: { request_id?: string | undefined; approve?: boolean | undefined } | undefined,
): { requestId: string; approve: boolean } {
  const requestId = input.request_id ?? object?.request_id;
  const approve = input.approve ?? object?.approve;
  if (requestId === undefined || approve === undefined) {
    throw new MusterError("usage", "The answer was not sent: it needs the request_id of the request and approve.");
  }
  return { requestId, approve };
}
