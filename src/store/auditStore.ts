import { SerialQueue } from "../base/serial.ts";
import type { AuditLine } from "../protocol/audit.ts";
import { withFileErrors } from "./fsErrors.ts";
import { appendLines, type LineFile, type LinesRead, readLines } from "./lines.ts";
import type { StoreContext } from "./storeContext.ts";
import type { TranscriptOwner } from "./transcriptStore.ts";

/**
 * `muster/audit.jsonl` (protocol/audit.ts): what was asked and decided, who left, what was paused, raised and set. One a
 * line, never changed. Lines are read as they are on the disk: `team/resume/auditLog.ts` and the timeline check their shape.
 */
export interface AuditStore {
  append(owner: TranscriptOwner, line: AuditLine): Promise<void>;
  read(owner: TranscriptOwner): Promise<unknown[]>;
  /** Lines that were completed since `offset` (bytes), and the offset for the next read. */
  readFrom(owner: TranscriptOwner, offset: number): Promise<{ lines: unknown[]; next: number }>;
}

/** The audit logs of a store: a team's, or a lead's before it has a team. */
export function createAuditStore(context: StoreContext): AuditStore {
  const queue = new SerialQueue();
  return {
    append(owner, line) {
      const file = locate(context, owner);
      return queue.run(file.path, () =>
        withFileErrors("What happened was not recorded", file.path, async () => {
          await appendLines(context.fs, file, [line], { torn: "newline", durable: true });
        }),
      );
    },
    read: async (owner) => (await readAudit(context, owner, 0)).values,
    async readFrom(owner, offset) {
      const { values, next } = await readAudit(context, owner, offset);
      return { lines: values, next };
    },
  };
}

function readAudit(context: StoreContext, owner: TranscriptOwner, offset: number): Promise<LinesRead> {
  const { path } = locate(context, owner);
  return withFileErrors("The record of what happened cannot be read", path, () => readLines(context.fs, path, offset));
}

function locate({ paths }: StoreContext, owner: TranscriptOwner): LineFile {
  if ("leadSession" in owner) return { path: paths.leadAudit(owner.leadSession), top: null };
  const team = "team" in owner ? paths.team(owner.team) : paths.finished(owner.finished);
  return { path: team.audit, top: team.dir };
}
