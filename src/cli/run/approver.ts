import { isAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
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
function forEachRequest(desk: RequestDesk, handle: (request: PendingRequest) => void): Disposable {
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

/** Decides every request by `policy`, until disposed. What cannot be written now is reported and decided again later. */
export function decideByPolicy(policy: Policy, decider: Decider, report: (error: unknown) => void): Disposable {
  const owned = new DisposableStore();
  const stop = new AbortController();
  owned.defer(() => stop.abort());
  owned.add(
    forEachRequest(decider.desk, (request) => {
      applyPolicy(policy(request), request, decider, report, stop.signal).catch((error: unknown) => {
        if (!isAborted(error)) report(error);
      });
    }),
  );
  return owned;
}

/** After so long it is decided again what could not be written, in ms. */
const RETRY_MS = 1_000;

async function applyPolicy(
  { decision, failMember }: PolicyDecision,
  request: PendingRequest,
  decider: Decider,
  report: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const waits = () => decider.desk.pending.some(({ id }) => id === request.id);
  for (let tries = 1; tries === 1 || waits(); tries += 1) {
    try {
      await decider.decide(request.id, decision, "policy");
      break;
    } catch (error) {
      if (tries === 1) report(error);
      await systemClock.sleep(RETRY_MS, signal);
    }
  }
  if (failMember !== undefined) await decider.failMember(request.from, failMember);
}
