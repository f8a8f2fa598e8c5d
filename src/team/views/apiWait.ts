import type { ModelFailure } from "../../agent/types.ts";

/**
 * What stands behind the state of a member that asks its model only later: until when, to be read after *Waiting*, and
 * why. `failure`: of its last try; null where the API has told another member to wait. `until` in ms.
 */
export function apiWait(failure: Pick<ModelFailure, "cause" | "reason"> | null, until: number): string {
  return `until ${clockTime(until)}: ${failure ? sentenceOf(failure) : "The API takes no requests."}`;
}

function sentenceOf({ cause, reason }: Pick<ModelFailure, "cause" | "reason">): string {
  if (cause === "overloaded") return "The API is overloaded.";
  if (cause === "rate_limited") return "The API's rate limit is reached.";
  return reason === "api_unreachable" ? "The API cannot be reached." : "The API failed.";
}

/** `14:10:05`, by this machine's clock. */
function clockTime(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
