import { isoTime } from "../../base/clock.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { type Entry, messageId } from "../../protocol/message.ts";
import { type MessageBody, type ProtocolBody, parseBody, requestIdOf } from "../../protocol/messageBody.ts";
import type { PendingRequest } from "../../protocol/request.ts";

/** The message that asks the lead for a decision. */
export function requestBody(request: PendingRequest): ProtocolBody {
  return request.kind === "plan"
    ? {
        type: "plan_approval_request",
        from: request.from,
        timestamp: isoTime(request.createdAt),
        planFilePath: request.planFilePath,
        planContent: request.planContent,
        requestId: request.id,
      }
    : {
        type: "permission_request",
        request_id: request.id,
        agent_id: request.from,
        tool_name: request.tool,
        tool_use_id: request.toolUseId,
        description: request.description,
        input: request.input,
        permission_suggestions: request.suggestions,
      };
}

/** The event that tells of a request. */
export function requestEvent(request: PendingRequest): TeamEvent {
  const { id, from } = request;
  return request.kind === "plan"
    ? { type: "request", id, kind: "plan", from, plan: request.planContent }
    : { type: "request", id, kind: "permission", from, tool: request.tool, input: request.input };
}

/** Whether a message is the one that asks for the decision with this id. */
export function asksFor(content: MessageBody, requestId: string): boolean {
  const asks = content.kind === "permission_request" || content.kind === "plan_approval_request";
  return asks && requestIdOf(content.body) === requestId;
}

/** Id of the unread entry of a request among these, or undefined. */
export function waitingRequest(inbox: readonly Entry[], requestId: string): string | undefined {
  const found = inbox.find((entry) => entry.read !== true && asksFor(parseBody(entry.text), requestId));
  return found && messageId(found);
}
