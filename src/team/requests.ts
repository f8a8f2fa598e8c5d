import { raceAbort, throwIfAborted } from "../base/abort.ts";
import { type Deferred, deferred } from "../base/deferred.ts";
import { Emitter } from "../base/emitter.ts";
import type { DecidedBy, Decision, PendingRequest } from "../protocol/request.ts";
import type { DecideResult, RequestDesk } from "./types.ts";

/** A decision, with who made it. */
export interface Decided {
  decision: Decision;
  by: DecidedBy;
}

interface Waiting {
  request: PendingRequest;
  settled: Deferred<Decided>;
}

/** What the files and the log are told of. Awaited, so that a decision is on disk before it has an effect. */
export interface RequestJournal {
  asked(request: PendingRequest): Promise<void>;
  decided(request: PendingRequest, decided: Decided): Promise<void>;
  withdrawn(request: PendingRequest): Promise<void>;
  /** An answer that no waiting request had asked for. */
  refused(id: string, decision: Decision, why: Exclude<DecideResult, "decided">): Promise<void>;
}

/**
 * The requests of the members of this process. Each is settled exactly once, in memory, by the person, a policy of the
 * person, or not at all: there is no time limit.
 */
export class Requests implements RequestDesk {
  private readonly waiting = new Map<string, Waiting>();
  private readonly changes = new Emitter<void>();
  private readonly journal: RequestJournal;

  constructor(journal: RequestJournal) {
    this.journal = journal;
  }

  readonly onDidChange = this.changes.event;

  get pending(): readonly PendingRequest[] {
    return [...this.waiting.values()].map(({ request }) => request);
  }

  /** Waits for the decision on `request`. Rejects with AbortedError, and withdraws the request, when `signal` aborts. */
  async ask(request: PendingRequest, signal: AbortSignal): Promise<Decided> {
    throwIfAborted(signal);
    const settled = deferred<Decided>();
    try {
      await this.journal.asked(request);
      this.waiting.set(request.id, { request, settled });
      this.changes.fire();
      return await raceAbort(settled.promise, signal);
    } catch (error) {
      if (this.waiting.delete(request.id)) this.changes.fire();
      await this.journal.withdrawn(request);
      throw error;
    }
  }

  /** A request of before a restart that is not asked again. */
  withdraw(request: PendingRequest): Promise<void> {
    return this.journal.withdrawn(request);
  }

  async decide(id: string, decision: Decision, by: DecidedBy): Promise<DecideResult> {
    const waiting = this.waiting.get(id);
    const result = !waiting ? "gone" : fits(waiting.request, decision) ? "decided" : "mismatch";
    if (!waiting || result !== "decided") {
      await this.journal.refused(id, decision, result === "decided" ? "gone" : result);
      return result;
    }
    this.waiting.delete(id);
    try {
      await this.journal.decided(waiting.request, { decision, by });
      waiting.settled.resolve({ decision, by });
      this.changes.fire();
    } catch (error) {
      this.waiting.set(id, waiting);
      throw error;
    }
    return "decided";
  }
}

function fits(request: PendingRequest, decision: Decision): boolean {
  const forPlans = decision.kind === "approve" || decision.kind === "reject";
  return forPlans === (request.kind === "plan");
}
