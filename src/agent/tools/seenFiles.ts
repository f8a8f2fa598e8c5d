import type { TranscriptRecord } from "../../protocol/transcript.ts";

/** A file that a member has read or written: what it says now is known if it was not changed after `until` (ms). */
export interface SeenFile {
  file: string;
  until: number;
}

/** The files that a member has seen, as its transcript tells: for the time after a restart. The newest look counts. */
export function seenFiles(transcript: readonly TranscriptRecord[]): SeenFile[] {
  const calls = new Map<string, { name: string; file: string; started: number }>();
  const seen = new Map<string, SeenFile>();
  for (const record of transcript) {
    if (record.kind === "reply") {
      for (const block of record.content) {
        if (block.type !== "tool_use" || typeof block.input["file_path"] !== "string") continue;
        calls.set(block.id, { name: block.name, file: block.input["file_path"], started: 0 });
      }
    } else if (record.kind === "tool_start") {
      const call = calls.get(record.toolUseId);
      if (call) call.started = Date.parse(record.at);
    } else if (record.kind === "tool_result" && !record.result.is_error) {
      const call = calls.get(record.result.tool_use_id);
      const until = call && UNTIL[call.name]?.(call.started, Date.parse(record.at));
      if (call && until !== undefined) seen.set(call.file, { file: call.file, until });
    }
  }
  return [...seen.values()];
}

/** A read shows what was there before it began; what a member wrote, it knows when the write is over. */
const UNTIL: Readonly<Record<string, (started: number, ended: number) => number>> = {
  Read: (started) => started,
  Write: (_, ended) => ended + 1, // records have whole milliseconds
  Edit: (_, ended) => ended + 1,
};
