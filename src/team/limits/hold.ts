import type { RequestLimiter } from "../../agent/requestLimiter.ts";
import { newContact, type RetryPorts, withRetry } from "../../agent/retry.ts";
import type { Model, Tool } from "../../agent/types.ts";
import { isAborted, raceAbort } from "../../base/abort.ts";
import type { Clock } from "../../base/clock.ts";
import type { Event } from "../../base/emitter.ts";
import type { Hold } from "../../protocol/team.ts";
import { waitUntil } from "../waitUntil.ts";

/** What holds members back: a team that is paused, or a budget that is used up. */
export interface Gate {
  /** Why this member may neither ask its model nor run a tool now; null: it may. */
  holdOf(name: string): Hold | null;
  /** Something changed that `holdOf` may depend on. */
  readonly onDidChange: Event<unknown>;
}

/** Waits while the member is held. Rejects with AbortedError. */
export async function untilFree(gate: Gate, name: string, signal: AbortSignal): Promise<void> {
  if (!gate.holdOf(name)) return;
  await waitUntil(async () => (gate.holdOf(name) ? undefined : true), [gate.onDidChange], signal);
}

/** Waits while the member is held; false: `signal` aborted first. */
export async function isFree(gate: Gate, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await untilFree(gate, name, signal);
    return true;
  } catch (error) {
    if (isAborted(error)) return false;
    throw error;
  }
}

/**
 * The model of each member of a team, with retries and the team's limit on requests at once: no request of a member that
 * is held begins, be it the first one or another try.
 */
export function gatedModels(
  model: Model,
  { clock, limiter }: { clock: Clock; limiter: RequestLimiter },
  gate: Gate,
): (name: string, onHurry?: RetryPorts["onHurry"]) => Model {
  const contact = newContact();
  return (name, onHurry) =>
    withRetry(model, {
      ...{ clock, random: Math.random, contact, limiter: gatedLimiter(limiter, gate, name) },
      ...(onHurry ? { onHurry } : {}),
    });
}

function gatedLimiter(limiter: RequestLimiter, gate: Gate, name: string): RequestLimiter {
  return {
    async acquire(signal) {
      for (;;) {
        await untilFree(gate, name, signal);
        const release = await limiter.acquire(signal);
        if (!gate.holdOf(name)) return release;
        release(); // held while it waited for the slot
      }
    },
  };
}

/** What the model is told of a call that was ended, when it goes on. */
function endedText({ by }: Hold): string {
  const why = by === "budget" ? "The budget was used up" : "The team was paused";
  return `${why}: this call was ended before it finished and may have taken effect in part. Check before you repeat it.`;
}

/** The tool, ended where its member is held while it runs. One that only waits for a decision waits on. */
export function endedByHold(tool: Tool, gate: Gate, name: string): Tool {
  if (tool.repeatable) return tool;
  return {
    ...tool,
    async run(input, call) {
      const held = new AbortController();
      let hold: Hold | null = null;
      const look = () => {
        hold ??= gate.holdOf(name);
        if (hold) held.abort();
      };
      const subscription = gate.onDidChange(look);
      look();
      try {
        const signal = AbortSignal.any([call.signal, held.signal]);
        return await raceAbort(tool.run(input, { ...call, signal }), held.signal);
      } catch (error) {
        if (!hold || call.signal.aborted || !isAborted(error)) throw error;
        return { content: endedText(hold), isError: true };
      } finally {
        subscription.dispose();
      }
    },
  };
}
