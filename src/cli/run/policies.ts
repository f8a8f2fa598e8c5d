import type { Decision, PendingRequest } from "../../protocol/request.ts";
import type { Policy } from "./approver.ts";

/**
 * `--approve all`: everything that asks, except what no mode may allow (protected files, critical removals). Deny rules
 * do not ask, so nothing that they match comes here.
 */
export function approveAll(): Policy {
  return (request) => {
    if (request.kind === "plan") return { decision: { kind: "approve", mode: request.afterMode } };
    if (!request.guarded) return { decision: { kind: "allow", scope: "once" } };
    return {
      decision: deny(`Only a person may allow this, and none watches this run (--approve all). ${request.reason}`),
    };
  };
}

/** `--approve none`: permissions denied, a member's first plan sent back, its second one ends it as failed. */
export function approveNone(): Policy {
  const plans = new Map<string, number>();
  return (request) => {
    if (request.kind === "permission") return { decision: deny(DENIED) };
    const count = (plans.get(request.from) ?? 0) + 1;
    plans.set(request.from, count);
    if (count === 1) return { decision: { kind: "reject", feedback: SENT_BACK } };
    return { decision: { kind: "reject", feedback: NOBODY }, failMember: planFailure(request) };
  };
}

const DENIED =
  "Nobody watches this run, and it allows nothing that asks (--approve none). Find a way without it, or report what is missing.";
const SENT_BACK =
  "Nobody watches this run, and it approves no plans (--approve none). Report to the lead what you found instead.";
const NOBODY = "Nobody approves plans in this run (--approve none).";

function planFailure(request: PendingRequest): string {
  return `${request.from} needs a plan approved, and this run approves none (--approve none).`;
}

function deny(reason: string): Decision {
  return { kind: "deny", reason };
}
