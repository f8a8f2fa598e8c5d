/** The error that an aborted wait rejects with. */
export class AbortedError extends Error {
  constructor() {
    super("Aborted.");
    this.name = "AbortedError";
  }
}

/** For a short wait that has to be waited out: what follows it must be done. */
export const neverAborted: AbortSignal = new AbortController().signal;

/** Whether `error` says that a wait was aborted: ours, or the platform's. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortedError" || error.name === "AbortError");
}

/** Throws AbortedError when `signal` is aborted. */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new AbortedError();
}

/** Settles as `promise` does, or rejects with AbortedError as soon as `signal` aborts. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new AbortedError());
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]); // in any case `promise` has somebody who hears that it failed
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
