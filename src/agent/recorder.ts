import { isoTime } from "../base/clock.ts";
import { SerialQueue } from "../base/serial.ts";
import type { TranscriptRecord } from "../protocol/transcript.ts";
import type { AgentPorts } from "./types.ts";

type WithoutTime<R> = R extends TranscriptRecord ? Omit<R, "at"> : never;

/** A record to store: the recorder adds the time. */
export type NewRecord = WithoutTime<TranscriptRecord>;

/** Stores a record, then appends it to the transcript in memory. Rejects when it cannot be stored. */
export type Recorder = (record: NewRecord) => Promise<void>;

/** A recorder that keeps one order for the sink and for memory, also when calls that run side by side record. */
export function createRecorder(transcript: TranscriptRecord[], ports: Pick<AgentPorts, "emit" | "now">): Recorder {
  const queue = new SerialQueue();
  return (fields) =>
    queue.run("record", async () => {
      const record = { ...fields, at: isoTime(ports.now()) } as TranscriptRecord;
      await ports.emit({ type: "record", record });
      transcript.push(record);
    });
}
