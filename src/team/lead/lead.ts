import type { AgentInput, ModelFailure, Tool } from "../../agent/types.ts";
import { isAborted } from "../../base/abort.ts";
import { Emitter } from "../../base/emitter.ts";
import { errorMessage, isMusterError } from "../../base/errors.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import { isTeamAtRest } from "../atRest.ts";
import type { SessionContext } from "../context.ts";
import { runMember } from "../memberRun.ts";
import { restState } from "../restState.ts";
import type { Rest } from "../types.ts";
import { waitUntil } from "../waitUntil.ts";
import { createLeadNews, type LeadNews } from "./leadNews.ts";

/** What happens at nearly the same time wakes the lead once: milliseconds that it waits for more. */
const SETTLE_MS = 100;

/** The lead's side of a session: its loop, and what its waiting looks like from outside. */
export class Lead {
  private readonly context: SessionContext;
  private readonly tools: readonly Tool[];
  private readonly news: LeadNews;
  private readonly rests = new Emitter<Rest>();
  private resting: Rest | null = null;

  constructor(context: SessionContext, tools: readonly Tool[]) {
    this.context = context;
    this.tools = tools;
    this.news = createLeadNews(context);
  }

  /** How the session rests now, or null while something goes on. */
  get rest(): Rest | null {
    return this.resting;
  }

  /** It rests, and no words of the person lie there that it could go on with; while the team is paused, they may. */
  get waitsForPerson(): boolean {
    return this.resting?.kind === "at_rest" && !this.news.hasWords();
  }

  /**
   * Runs until `signal` aborts: a run for the goal, then one for everything that wakes the lead. `first` is null for a
   * lead that rested when an earlier process ended.
   */
  async run(first: readonly AgentInput[] | null, signal: AbortSignal): Promise<void> {
    if (first === null) this.news.catchUp();
    let inputs = first;
    try {
      for (;;) {
        if (inputs) await this.runOnce(inputs, signal);
        if (signal.aborted) return;
        inputs = await waitUntil(() => this.nextInputs(signal), [this.context.changes.event], signal);
        this.resting = null;
      }
    } catch (error) {
      if (!isAborted(error)) throw error;
    }
  }

  private async runOnce(inputs: readonly AgentInput[], signal: AbortSignal): Promise<void> {
    const running = this.context.lead;
    const outcome = await runMember(this.context, running, this.tools, inputs, signal).catch((error: unknown) =>
      this.lostTeam(error, signal),
    );
    if (signal.aborted || outcome === null) return;
    const { state, reason } = restState(outcome);
    running.member.setState(state, reason);
    if (outcome.kind === "failed") this.setRest(failedRest(outcome.failure));
  }

  /** The session's rest, as soon as there is one. */
  waitForRest(signal: AbortSignal): Promise<Rest> {
    return waitUntil(async () => this.resting ?? undefined, [this.rests.event], signal);
  }

  /** The lead's loop itself broke: nothing goes on from here. */
  fail(error: unknown): void {
    this.context.lead.member.setState("failed", errorMessage(error));
    this.setRest({ kind: "failed", reason: isMusterError(error) ? error.reason : null, message: errorMessage(error) });
  }

  /** Its team's files went under the run: as soon as that is told, the lead rests and has no team. Other errors are thrown. */
  private async lostTeam(error: unknown, signal: AbortSignal): Promise<null> {
    if (!(isMusterError(error) && error.reason === "unknown_team")) throw error;
    const told = async () => this.resting?.kind === "failed" || undefined;
    await waitUntil(told, [this.rests.event, this.context.changes.event], signal);
    return null;
  }

  private async nextInputs(signal: AbortSignal): Promise<AgentInput[] | undefined> {
    if (this.context.holdOf(LEAD_NAME)) return undefined;
    const words = this.news.hasWords();
    if (!words) {
      if (this.resting?.kind === "failed") return undefined;
      if (this.news.wakeReason() === undefined && !(await isTeamAtRest(this.context))) return undefined;
      await this.context.options.clock.sleep(SETTLE_MS, signal);
    }
    const atRest = !words && (await isTeamAtRest(this.context));
    const inputs = this.news.take(atRest);
    if (!inputs && atRest && !this.news.isAwaited()) this.setRest(restKind(this.context));
    return inputs;
  }

  private setRest(rest: Rest): void {
    if (this.resting?.kind === rest.kind) return;
    this.resting = rest;
    this.rests.fire(rest);
    this.context.changes.fire();
  }
}

function failedRest({ reason, message, cause, status }: ModelFailure): Rest {
  const rest = { kind: "failed" as const, reason, message };
  if (reason === "no_key" || cause === "auth" || cause === "spend_limit") return { ...rest, needs: "key" };
  return reason === "api_unreachable" || status === 404 ? { ...rest, needs: "server" } : rest;
}

function restKind({ deleted }: SessionContext): Rest {
  return deleted ? { kind: "deleted", history: deleted.history } : { kind: "at_rest" };
}
