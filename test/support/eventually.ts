/** How long something that has to come is waited for, in ms. */
export const PATIENCE_MS = 50_000;
/** Between two tries, in ms: a twentieth of the wait so far, as a look may cost as much as what it waits for. */
const PAUSE = { least: 20, most: 100 };
/** A try and its pause count for so long at most, in ms: what goes beyond is a machine that stood still. */
const LONGEST_TRY_MS = 10_000;

/** Tries until `attempt` gives something other than undefined or false. @throws Error that names `what`, and why. */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  let waited = 0;
  let last: unknown;
  while (waited < timeoutMs) {
    const begun = performance.now();
    try {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
      last = result;
    } catch (error) {
      last = error;
    }
    const pause = Math.min(PAUSE.most, Math.max(PAUSE.least, waited / 20));
    await new Promise((resolve) => setTimeout(resolve, pause));
    waited += Math.min(performance.now() - begun, LONGEST_TRY_MS);
  }
  throw new Error(`waited ${timeoutMs} ms for ${what} in vain`, { cause: last });
}
