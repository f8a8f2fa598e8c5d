/** Between two tries, in ms: a twentieth of the wait so far, as a look may cost as much as what it waits for. */
const PAUSE = { least: 20, most: 100 };

/** Tries until `attempt` gives something other than undefined or false. @throws Error that names `what`, and why. */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 50_000,
): Promise<T> {
  const begun = Date.now();
  const deadline = begun + timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
      last = result;
    } catch (error) {
      last = error;
    }
    const pause = Math.min(PAUSE.most, Math.max(PAUSE.least, (Date.now() - begun) / 20));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`waited ${timeoutMs} ms for ${what} in vain`, { cause: last });
}
