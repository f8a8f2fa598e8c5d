import type { Disposable } from "../../base/disposable.ts";
import type { DecidedBy, Decision, PendingRequest } from "../../protocol/request.ts";
import type { DecideResult, RequestDesk } from "../../team/types.ts";

/** How a run's requests are decided. */
export const APPROVE_MODES = ["ask", "stdin", "all", "none"] as const;
export type ApproveMode = (typeof APPROVE_MODES)[number];

/** What a policy makes of a request; `fail`: the member that asks is beyond help. */
export type PolicyDecision = { decision: Decision; failMember?: string };

/** Decides requests without a person. One instance serves one run: it may count. */
export type Policy = (request: PendingRequest) => PolicyDecision;

/** Where decisions go. */
export interface Decider {
  readonly desk: RequestDesk;
  decide(id: string, decision: Decision, by: DecidedBy): Promise<DecideResult>;
  /** Ends a member that a policy gives up: it counts as failed. */
  failMember(member: string, reason: string): Promise<void>;
}

/** Hands every request to `handle` once, those that wait already included. */
export function forEachRequest(desk: RequestDesk, handle: (request: PendingRequest) => void): Disposable {
  const seen = new Set<string>();
  const look = () => {
    for (const request of desk.pending) {
      if (seen.has(request.id)) continue;
      seen.add(request.id);
      handle(request);
    }
  };
  const subscription = desk.onDidChange(look);
  look();
  return subscription;
}

/** Decides one request by `policy`. */
export async function applyPolicy(policy: Policy, request: PendingRequest, decider: Decider): Promise<void> {
  const { decision, failMember } = policy(request);
  await decider.decide(request.id, decision, "policy");
  if (failMember !== undefined) await decider.failMember(request.from, failMember);
}
