/** Whoever looks for signs of life looks more often than this, in ms; else it stood still. */
const BREAK_MS = 10_000;
/** How long it listens after a break, in ms: every member that lives is heard of meanwhile. */
const LISTEN_MS = 10_000;

/**
 * Tells at each look whether whoever looks has listened long enough to call a member silent. One that stood still itself,
 * as it was stopped or its machine slept, knows only what it had heard before. Takes the time, in ms.
 */
export function createListening(): (now: number) => boolean {
  let last: number | null = null;
  let since = Number.NEGATIVE_INFINITY;
  return (now) => {
    if (now - (last ?? now) > BREAK_MS || now < since) since = now;
    last = now;
    return now - since >= LISTEN_MS;
  };
}
