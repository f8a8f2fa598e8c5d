/** Tries until `attempt` gives something other than undefined or false. @throws Error that names `what`, and why. */
export async function eventually<T>(
  what: string,
  attempt: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 50_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await attempt();
      if (result !== undefined && result !== false) return result;
      last = result;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited ${timeoutMs} ms for ${what} in vain`, { cause: last });
}
