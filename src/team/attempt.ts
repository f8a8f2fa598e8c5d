import { errorMessage } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";

/**
 * Does one of several things that are to be done whatever becomes of the others. Never rejects: an error is logged behind
 * `what`, and nothing is the result.
 */
export async function attempt<T>(logger: Logger, what: string, job: () => Promise<T>): Promise<T | undefined> {
  try {
    return await job();
  } catch (error) {
    logger.warn(`${what}: ${errorMessage(error)}`);
    return undefined;
  }
}
