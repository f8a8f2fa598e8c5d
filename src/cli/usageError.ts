import { MusterError } from "../base/errors.ts";
import { nearestOf } from "../base/nearest.ts";

/** A wrong call of the command line: exit 2. `message` is one sentence that says what is wrong and what to write. */
export function usageError(message: string): MusterError {
  return new MusterError("usage", message);
}

/** ` Did you mean X?` for the candidate nearest to `given`, or nothing where none is near. */
export function didYouMean(given: string, candidates: readonly string[]): string {
  const nearest = nearestOf(given, candidates);
  return nearest === null ? "" : ` Did you mean ${nearest}?`;
}
