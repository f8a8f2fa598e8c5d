import type { AgentEvent, ModelFailure } from "../../agent/types.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { MemberContext, RunningMember } from "../context.ts";

/** So many tries of one request in a row that failed: the API counts as down. */
const TRIES_OF_AN_OUTAGE = 3;

/** Watches a run for an API that does not answer. */
export interface OutageWatch extends Disposable {
  /** Told of every event of the run. */
  seen(event: AgentEvent): void;
  /** Why the run was ended, or null: it was not. */
  readonly failure: ModelFailure | null;
}

/** Ends a run by `end` where its API is down and its lead has asked the member to stop: it would wait for minutes. */
export function watchOutage(context: MemberContext, running: RunningMember, end: () => void): OutageWatch {
  let latest: ModelFailure | null = null;
  let failure: ModelFailure | null = null;
  const look = () => {
    if (latest === null || failure !== null || running.shutdownRequests.size === 0) return;
    failure = latest;
    end();
  };
  const subscription = context.changes.event(look);
  return {
    seen(event) {
      if (event.type === "closed" || event.type === "asking") return; // the try goes on
      const isDown = event.type === "retrying" && event.attempt >= TRIES_OF_AN_OUTAGE;
      latest = isDown ? event.failure : null;
      look();
    },
    get failure() {
      return failure;
    },
    dispose: () => subscription.dispose(),
  };
}
