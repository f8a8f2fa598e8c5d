import { type Clock, systemClock } from "../base/clock.ts";
import { Emitter } from "../base/emitter.ts";
import { Letters } from "./letters.ts";
import type { Turn } from "./script.ts";

/** How long the stage must be quiet before it counts as settled: a runtime needs a moment to see that a run is over. */
const SETTLE_MS = 300;

/**
 * What the scripts of one team know of each other, so that the order of things does not depend on who is faster. It
 * holds only what the server itself has seen and sent. Waits are bounded, and end at once in a replay.
 */
export class Stage {
  private readonly patienceMs: number;
  private readonly clock: Clock;
  private readonly marks = new Set<string>();
  private readonly working = new Set<string>();
  private readonly changes = new Emitter<void>();
  readonly letters = new Letters(() => this.changes.fire());

  /** `patienceMs`: longest wait of a script for another; after that the order is not as planned, and that is all. */
  constructor(patienceMs: number, clock: Clock = systemClock) {
    this.patienceMs = patienceMs;
    this.clock = clock;
  }

  /** Notes that something has happened. */
  mark(what: string): void {
    this.marks.add(what);
    this.changes.fire();
  }

  marked(what: string): boolean {
    return this.marks.has(what);
  }

  /** A request of the member came in (`working`), or the last reply of its run was sent. */
  setWorking(member: string, working: boolean): void {
    if (working) this.working.add(member);
    else this.working.delete(member);
    this.changes.fire();
  }

  /** Waits until one of these has happened, at most `ms`. */
  async until(whats: readonly string[], turn: Turn, ms = this.patienceMs): Promise<void> {
    await this.wait(() => whats.some((what) => this.marks.has(what)), ms, turn);
  }

  /** Waits until the member was shown every message that was sent to it. */
  untilHeard(to: string, turn: Turn): Promise<boolean> {
    return this.wait(() => this.letters.missing(to).length === 0, this.patienceMs, turn);
  }

  /** Waits until these members have been resting for a moment and no message to them is on its way. */
  async untilSettled(members: readonly string[], turn: Turn): Promise<void> {
    const quiet = () =>
      members.every((member) => !this.working.has(member) && this.letters.missing(member).length === 0);
    const deadline = this.clock.now() + this.patienceMs;
    for (let changed = true; changed; ) {
      if (!(await this.wait(quiet, deadline - this.clock.now(), turn)) || turn.replay) return;
      changed = await this.changesWithin(SETTLE_MS, turn.signal);
    }
  }

  private async wait(condition: () => boolean, ms: number, turn: Turn): Promise<boolean> {
    const deadline = this.clock.now() + ms;
    while (!condition()) {
      const left = deadline - this.clock.now();
      if (left <= 0 || turn.replay || turn.signal.aborted) return false;
      await this.changesWithin(left, turn.signal);
    }
    return true;
  }

  /** Whether something changes within `ms`; false also when `signal` aborts. */
  private async changesWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    const change = new AbortController();
    const subscription = this.changes.event(() => change.abort());
    try {
      await this.clock.sleep(ms, AbortSignal.any([change.signal, signal]));
      return false;
    } catch {
      return change.signal.aborted; // the sleep was cut short, by a change or by the client
    } finally {
      subscription.dispose();
    }
  }
}
