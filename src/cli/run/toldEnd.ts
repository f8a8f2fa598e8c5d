import type { ErrorReason, MusterError } from "../../base/errors.ts";
import type { RunResult, TeamEvent } from "../../protocol/events.ts";
import type { Rest, SessionSummary } from "../../team/types.ts";
import { EXIT, exitCodeOf } from "../exitCodes.ts";

type RunFinished = Extract<TeamEvent, { type: "run_finished" }>;

/** How a run came to its end: the session's rest, a signal that ended it, or a policy that gave its lead up. */
export type RunEnd =
  | { kind: "rest"; rest: Rest }
  | { kind: "ended"; cause: string }
  /** Nobody reads what it writes any more, or it cannot be written: then `fault` says why, and whoever runs it tells it. */
  | { kind: "unheard"; fault: MusterError | null }
  | { kind: "given_up"; reason: string }
  /** Another process leads the team now. */
  | { kind: "handed_over" };

/** The end of a run as it is told. */
export interface ToldEnd {
  /** The last event, with the exit code of the process. */
  event: RunFinished;
  /** Why it ended so, for a person; null where there is nothing to say. */
  sentence: string | null;
}

/** What is told of the end of a run. In the event an error's reason stands before its sentence, for scripts. */
export function toldEnd(end: RunEnd, summary: SessionSummary): ToldEnd {
  const { result, sentence } = outcomeOf(end, summary);
  const isToldLater = end.kind === "unheard" && end.fault !== null;
  const { text, tasks, usage } = summary;
  const failure = failureOf(end);
  const event: RunFinished = {
    type: "run_finished",
    result,
    ...(sentence === null ? {} : { reason: failure === null ? sentence : `${failure}: ${sentence}` }),
    ...{ text, tasks, usage },
    exit: failure === null ? EXIT_OF_RESULT[result] : exitCodeOf(failure),
  };
  return { event, sentence: isToldLater ? null : sentence };
}

function outcomeOf(end: RunEnd, summary: SessionSummary): { result: RunResult; sentence: string | null } {
  switch (end.kind) {
    case "given_up":
      return { result: "failed", sentence: end.reason };
    case "handed_over":
      return { result: "interrupted", sentence: "Another window or program leads the team now. It goes on there." };
    case "ended":
      return { result: "interrupted", sentence: withSummary(`Ended by ${end.cause}.`, summary) };
    case "unheard":
      return end.fault
        ? { result: "failed", sentence: end.fault.message }
        : { result: "interrupted", sentence: withSummary("Ended: nobody reads the output any more.", summary) };
    case "rest":
      return end.rest.kind === "failed"
        ? { result: "failed", sentence: end.rest.message }
        : { result: summary.result, sentence: summary.reason };
  }
}

function withSummary(sentence: string, { reason }: SessionSummary): string {
  return [sentence, reason ?? ""].join(" ").trim();
}

function failureOf(end: RunEnd): ErrorReason | null {
  if (end.kind === "handed_over") return "lead_elsewhere";
  if (end.kind === "unheard") return end.fault?.reason ?? null;
  return end.kind === "rest" && end.rest.kind === "failed" ? end.rest.reason : null;
}

const EXIT_OF_RESULT: Readonly<Record<RunResult, number>> = {
  completed: EXIT.done,
  incomplete: EXIT.refused,
  failed: EXIT.refused,
  interrupted: EXIT.interrupted,
};
