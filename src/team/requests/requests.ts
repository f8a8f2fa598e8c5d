import { raceAbort, throwIfAborted } from "../../base/abort.ts";
import { type Deferred, deferred } from "../../base/deferred.ts";
import { Emitter } from "../../base/emitter.ts";
import type { DecidedBy, Decision, PendingRequest } from "../../protocol/request.ts";
import type { DecideResult, RequestDesk } from "../types.ts";

/** A decision, with who made it. */
export interface Decided {
  decision: Decision;
  by: DecidedBy;
}

interface Waiting {
  request: PendingRequest;
  settled: Deferred<Decided>;
  /** It is on disk: shown from then on. An answer that comes before waits for that. */
  asked: Promise<void>;
  shown: boolean;
  /** Nobody waits for its decision any more. */
  left: boolean;
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
 * The requests of the members of this process, and those of process members that it was asked to put before the person
 * (`adopt`). Each is settled exactly once, in memory, by the person, a policy of the person, or not at all: there is no
 * time limit.
 */
export class Requests implements RequestDesk {
  private readonly waiting = new Map<string, Waiting>();
  private readonly emitters = { changed: new Emitter<void>(), withdrawn: new Emitter<PendingRequest>() };
  private readonly journal: RequestJournal;

  constructor(journal: RequestJournal) {
    this.journal = journal;
  }

  readonly onDidChange = this.emitters.changed.event;
  readonly onDidWithdraw = this.emitters.withdrawn.event;

  get pending(): readonly PendingRequest[] {
    return [...this.waiting.values()].flatMap(({ request, shown }) => (shown ? [request] : []));
  }

  /** The request of this id that waits, or is about to. */
  find(id: string): PendingRequest | undefined {
    return this.waiting.get(id)?.request;
  }

  /** Waits for the decision on `request`. Rejects with AbortedError, and withdraws the request, when `signal` aborts. */
  async ask(request: PendingRequest, signal: AbortSignal): Promise<Decided> {
    throwIfAborted(signal);
    const waiting = newWaiting(request, this.journal.asked(request));
    this.waiting.set(request.id, waiting);
    try {
      await waiting.asked;
      waiting.shown = true;
      this.emitters.changed.fire();
      return await raceAbort(waiting.settled.promise, signal);
    } catch (error) {
      waiting.left = true;
      // else it is being decided: the files say one or the other
      if (this.waiting.delete(request.id)) await this.takeBack(request);
      throw error;
    }
  }

  /** A request of a member of another process that has come in: its answer goes back through the journal. */
  adopt(request: PendingRequest): void {
    if (this.waiting.has(request.id)) return;
    this.waiting.set(request.id, { ...newWaiting(request, Promise.resolve()), shown: true });
    this.emitters.changed.fire();
  }

  /** An adopted request that waits no more: its member took it back, or is gone. */
  async drop(id: string): Promise<void> {
    const waiting = this.waiting.get(id);
    if (!waiting || !this.waiting.delete(id)) return;
    waiting.left = true;
    await this.takeBack(waiting.request);
  }

  private takeBack(request: PendingRequest): Promise<void> {
    this.emitters.withdrawn.fire(request);
    this.emitters.changed.fire();
    return this.journal.withdrawn(request);
  }

  /** A request of before a restart that is not asked again. */
  withdraw(request: PendingRequest): Promise<void> {
    return this.journal.withdrawn(request);
  }

  /** A request that a rule decides: it is put before nobody, and answered through the journal. */
  async answer(request: PendingRequest, decision: Decision): Promise<void> {
    await this.journal.decided(request, { decision, by: "rule" });
  }

  async decide(id: string, decision: Decision, by: DecidedBy): Promise<DecideResult> {
    await this.waiting.get(id)?.asked.catch(() => undefined); // then it does not wait any more
    const waiting = this.waiting.get(id);
    const result = !waiting ? "gone" : fits(waiting.request, decision) ? "decided" : "mismatch";
    if (!waiting || result !== "decided") {
      await this.journal.refused(id, decision, result === "decided" ? "gone" : result);
      return result;
    }
    this.waiting.delete(id);
    this.emitters.changed.fire(); // it waits for nobody any more, however long the files take
    try {
      await this.journal.decided(waiting.request, { decision, by });
      waiting.settled.resolve({ decision, by });
      this.emitters.changed.fire();
    } catch (error) {
      if (waiting.left) await this.takeBack(waiting.request);
      else this.waiting.set(id, waiting);
      this.emitters.changed.fire();
      throw error;
    }
    return "decided";
  }
}

function newWaiting(request: PendingRequest, asked: Promise<void>): Waiting {
  return { request, settled: deferred<Decided>(), asked, shown: false, left: false };
}

function fits(request: PendingRequest, decision: Decision): boolean {
  const forPlans = decision.kind === "approve" || decision.kind === "reject";
  return forPlans === (request.kind === "plan");
}
