import { AbortedError, throwIfAborted } from "../base/abort.ts";

/** Bounds the requests that a team has open at once. Slots are given in order of asking. */
export interface RequestLimiter {
  /** Waits for a slot; the result gives it back, once. Rejects with AbortedError. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** A limiter of `slots` requests at once, to be shared by all members of a team. */
export function createRequestLimiter(slots: number): RequestLimiter {
  let free = slots;
  const waiting: (() => void)[] = [];

  function take(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  }

  async function acquire(signal: AbortSignal): Promise<() => void> {
    throwIfAborted(signal);
    if (free > 0) {
      free -= 1;
      return take();
    }
    return new Promise((resolve, reject) => {
      const onSlot = () => {
        signal.removeEventListener("abort", onAbort);
        resolve(take());
      };
      const onAbort = () => {
        waiting.splice(waiting.indexOf(onSlot), 1);
        reject(new AbortedError());
      };
      waiting.push(onSlot);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  return { acquire };
}
