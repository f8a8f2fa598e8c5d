import { AbortedError } from "../../src/base/abort.ts";
import type { Clock } from "../../src/base/clock.ts";

/** A clock whose sleeps end at once, or never, and which keeps their lengths. */
export interface RecordingClock extends Clock {
  readonly sleeps: number[];
}

/** Sleeps end at once, and time moves on by their length. */
export function instantClock(): RecordingClock {
  const sleeps: number[] = [];
  let now = 0;
  return {
    sleeps,
    now: () => now,
    sleep: async (ms) => {
      sleeps.push(ms);
      now += ms;
    },
  };
}

/** Sleeps end only by an abort. */
export function stoppedClock(): RecordingClock {
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => 0,
    sleep: (ms, signal) =>
      new Promise((_, reject) => {
        sleeps.push(ms);
        signal.addEventListener("abort", () => reject(new AbortedError()), { once: true });
      }),
  };
}
