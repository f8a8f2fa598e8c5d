import type { TranscriptRecord } from "../protocol/transcript.ts";
import { type ToolCall, toolCallsOf } from "./types.ts";

/** What a process that died left of a run: its last reply, with the calls that have no result. */
export interface UnfinishedReply {
  /** The reply asked for no call at all: the run would have rested. */
  rests: boolean;
  /** Calls that began and may have taken effect. */
  started: ToolCall[];
  /** Calls that did not begin. */
  waiting: ToolCall[];
}

/** Whether the last run of a transcript has no end: its process died, or was suspended. */
export function isUnfinished(transcript: readonly TranscriptRecord[]): boolean {
  const last = transcript.findLast((record) => record.kind !== "session");
  return last !== undefined && last.kind !== "run_end";
}

/** Stop reasons after which the calls of a reply run. */
const GOES_ON: ReadonlySet<string> = new Set(["tool_use", "end_turn", "stop_sequence", "pause_turn"]);

/**
 * The reply with which an unfinished run has to go on, or undefined: there is none, its stream was cut, or something
 * was put before the model since.
 */
export function unfinishedReply(transcript: readonly TranscriptRecord[]): UnfinishedReply | undefined {
  if (!isUnfinished(transcript)) return undefined;
  const at = transcript.findLastIndex((record) => record.kind === "reply" || record.kind === "run_end");
  const reply = transcript[at];
  if (reply?.kind !== "reply" || !GOES_ON.has(reply.stopReason ?? "")) return undefined;
  const since = transcript.slice(at + 1);
  if (since.some((record) => record.kind === "input")) return undefined;
  const calls = toolCallsOf(reply.content);
  const begun = new Set(since.flatMap((record) => (record.kind === "tool_start" ? [record.toolUseId] : [])));
  const ended = new Set(since.flatMap((record) => (record.kind === "tool_result" ? [record.result.tool_use_id] : [])));
  const open = calls.filter(({ id }, index) => !ended.has(id) && calls.findIndex((call) => call.id === id) === index);
  return {
    rests: calls.length === 0 && reply.stopReason !== "pause_turn",
    started: open.filter(({ id }) => begun.has(id)),
    waiting: open.filter(({ id }) => !begun.has(id)),
  };
}
