import type { RunResult, TeamEvent } from "../../protocol/events.ts";
import type { Rest, SessionSummary } from "../../team/types.ts";
import { EXIT, exitCodeOf } from "../exitCodes.ts";

export type RunFinished = Extract<TeamEvent, { type: "run_finished" }>;

/** How a run came to its end: the session's rest, a signal that ended it, or a policy that gave its lead up. */
export type RunEnd =
  | { kind: "rest"; rest: Rest }
  | { kind: "ended"; cause: string }
  | { kind: "given_up"; reason: string };

/** The last event of a run, with the exit code of the process. */
export function runFinished(end: RunEnd, summary: SessionSummary): RunFinished {
  const { result, reason } = outcomeOf(end, summary);
  const { text, tasks, usage } = summary;
  return {
    type: "run_finished",
    result,
    ...(reason === null ? {} : { reason }),
    ...{ text, tasks, usage },
    exit: exitOf(end, result),
  };
}

function outcomeOf(end: RunEnd, summary: SessionSummary): { result: RunResult; reason: string | null } {
  switch (end.kind) {
    case "given_up":
      return { result: "failed", reason: end.reason };
    case "ended":
      return { result: "interrupted", reason: [`Ended by ${end.cause}.`, summary.reason ?? ""].join(" ").trim() };
    case "rest":
      return end.rest.kind === "failed"
        ? { result: "failed", reason: failureText(end.rest) }
        : { result: summary.result, reason: summary.reason };
  }
}

/** The reason's name stands first, so that scripts can tell why without reading the sentence. */
function failureText({ reason, message }: Extract<Rest, { kind: "failed" }>): string {
  return reason === null ? message : `${reason}: ${message}`;
}

function exitOf(end: RunEnd, result: RunResult): number {
  const failure = end.kind === "rest" && end.rest.kind === "failed" ? end.rest.reason : null;
  return failure === null ? EXIT_OF_RESULT[result] : exitCodeOf(failure);
}

const EXIT_OF_RESULT: Readonly<Record<RunResult, number>> = {
  completed: EXIT.done,
  incomplete: EXIT.refused,
  failed: EXIT.refused,
  interrupted: EXIT.interrupted,
};
