import { raceAbort } from "../base/abort.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Event } from "../base/emitter.ts";

/**
 * Waits until `check` gives a value: asks at once, and again after every event. Events that come while a check runs are
 * not missed. Rejects as `check` does, or with AbortedError when `signal` aborts.
 */
export async function waitUntil<T>(
  check: () => Promise<T | undefined>,
  events: readonly Event<unknown>[],
  signal: AbortSignal,
): Promise<T> {
  let wake = () => {};
  let dirty = true;
  const subscriptions: Disposable[] = events.map((event) =>
    event(() => {
      dirty = true;
      wake();
    }),
  );
  try {
    for (;;) {
      if (dirty) {
        dirty = false;
        const value = await raceAbort(check(), signal);
        if (value !== undefined) return value;
      } else {
        const event = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await raceAbort(event, signal);
      }
    }
  } finally {
    for (const subscription of subscriptions) subscription.dispose();
  }
}
