import type { Disposable } from "../base/disposable.ts";

/** Runs a job soon after it was asked for, but never twice within an interval. */
export interface Throttle extends Disposable {
  /** At once after a quiet time, else when the interval is over. */
  request(): void;
  /** Runs the job now, in place of a run that was asked for. */
  run(): void;
  /** Takes back what was asked for, and forgets when the job last ran. */
  reset(): void;
}

/** A throttle for `job`, with `intervalMs` between two runs at least. */
export function createThrottle(intervalMs: number, job: () => void): Throttle {
  let timer: NodeJS.Timeout | undefined;
  let last = Number.NEGATIVE_INFINITY;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    cancel();
    last = performance.now();
    job();
  };
  return {
    request: () => {
      timer ??= setTimeout(run, Math.max(0, last + intervalMs - performance.now()));
    },
    run,
    reset: () => {
      cancel();
      last = Number.NEGATIVE_INFINITY;
    },
    dispose: cancel,
  };
}
