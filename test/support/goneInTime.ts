import { setTimeout as sleep } from "node:timers/promises";

/** Nothing may be left so long after a way out, in ms. */
const BOUND_MS = 5_000;
const PAUSE_MS = 50;

/**
 * Looks until nothing is left, the last time once the bound is over: however long a look takes, what it finds was there
 * then. `out`: when the way out was, of `performance.now()`. Resolves to how long it took, in ms.
 * @throws Error that names what is left.
 */
export async function goneInTime(out: number, look: () => unknown[] | Promise<unknown[]>): Promise<number> {
  for (;;) {
    const after = performance.now() - out;
    const left = await look();
    if (left.length === 0) return after;
    if (after >= BOUND_MS) throw new Error(`left after ${Math.round(after)} ms: ${JSON.stringify(left)}`);
    await sleep(Math.min(PAUSE_MS, Math.max(0, BOUND_MS - (performance.now() - out))));
  }
}
