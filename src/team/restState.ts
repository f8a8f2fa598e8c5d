import type { RunOutcome } from "../agent/types.ts";
import type { MemberState } from "../protocol/team.ts";

/** The words behind the state of a member whose run was interrupted. */
export const INTERRUPTED = "interrupted";

/** What a member is after a run, and the words behind it. A limit that ended a run counts as a failure. */
export function restState(outcome: RunOutcome): { state: MemberState; reason: string | null } {
  switch (outcome.kind) {
    case "failed":
      return { state: "failed", reason: firstLine(outcome.failure.message) };
    case "ended":
      return outcome.by === "limit" ? { state: "failed", reason: outcome.reason } : { state: "idle", reason: null };
    case "aborted":
      return { state: "idle", reason: INTERRUPTED };
    case "completed":
      return { state: "idle", reason: null };
  }
}

/** The first line, at most 200 characters of it. */
function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return [...line].length > 200 ? `${[...line].slice(0, 199).join("")}…` : line;
}
