import { AbortedError, neverAborted, throwIfAborted } from "./abort.ts";

/** Time as a port, so that tests can run it. Times are milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`; rejects with AbortedError when `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new AbortedError());
      const onAbort = () => {
        clearTimeout(timer);
        reject(new AbortedError());
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  },
};

/** Whether all of these settle within `ms`; waits no longer. Rejects with AbortedError alone, when `signal` aborts. */
export async function settledWithin(
  clock: Clock,
  promises: readonly PromiseLike<unknown>[],
  ms: number,
  signal = neverAborted,
): Promise<boolean> {
  throwIfAborted(signal);
  const stop = new AbortController();
  const settled = Promise.allSettled(promises).then(() => true);
  const late = clock.sleep(ms, AbortSignal.any([stop.signal, signal])).then(
    () => false,
    () => false, // aborted: all have settled, or `signal`
  );
  const inTime = await Promise.race([settled, late]);
  stop.abort();
  throwIfAborted(signal);
  return inTime;
}

/**
 * How long to wait until the clock's time is a multiple of `periodMs`, in ms: at least a tenth of it, at most as much
 * more than all of it. What is looked at again and again waits for the same moments everywhere: a processor that rests
 * is woken once for all of it, and whoever reads what was written then reads once.
 */
export function untilNext(periodMs: number, now: number): number {
  const rest = periodMs - (now % periodMs);
  return rest < periodMs / 10 ? rest + periodMs : rest;
}

/** ISO 8601 in UTC, with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
