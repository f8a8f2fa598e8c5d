import type { ToolCall } from "../../agent/types.ts";
import { isoTime } from "../../base/clock.ts";
import type { Decision as Judgement } from "../../permission/types.ts";
import type { TeamEvent } from "../../protocol/events.ts";
import { type Entry, messageId } from "../../protocol/message.ts";
import { type MessageBody, type ProtocolBody, parseBody, requestIdOf } from "../../protocol/messageBody.ts";
import type { PendingRequest, PermissionRequest } from "../../protocol/request.ts";
import { toolArgument } from "../views/toolArgument.ts";
import type { Decided } from "./requests.ts";

/** What a request has whoever asks: its id, its member, since when it waits (ms), the task and the words that led to it. */
type RequestBase = Pick<PermissionRequest, "id" | "from" | "createdAt" | "task" | "said">;

/** The request of a call in `cwd` that the engine judged like this. */
export function permissionRequest(
  base: RequestBase,
  { id: toolUseId, name: tool, input }: ToolCall,
  { behavior, reason, parts, guarded, suggestions }: Judgement,
  cwd: string,
): PermissionRequest {
  return {
    kind: "permission",
    ...base,
    ...{ tool, toolUseId, input, cwd, reason, guarded },
    description: `${tool}: ${toolArgument(tool, input)}`,
    parts: parts?.map(({ text, covered }) => ({ text, covered })) ?? null,
    suggestions: behavior === "ask" ? suggestions : [],
  };
}

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

/** The event that tells of a decision. */
export function decisionEvent(id: string, { decision, by }: Decided): TeamEvent {
  const reason =
    decision.kind === "deny" ? decision.reason : decision.kind === "reject" ? decision.feedback : undefined;
  return { type: "decision", id, decision: decision.kind, by, ...(reason ? { reason } : {}) };
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
