import { SerialQueue } from "../base/serial.ts";
import { withFileErrors } from "./fsErrors.ts";
import { appendLines, type LineFile, readLines } from "./lines.ts";
import type { StoreContext } from "./storeContext.ts";
import type { TranscriptOwner } from "./transcriptStore.ts";

/** `muster/audit.jsonl`: every request and decision, one a line, never changed. */
export interface AuditStore {
  append(owner: TranscriptOwner, record: Record<string, unknown>): Promise<void>;
  read(owner: TranscriptOwner): Promise<unknown[]>;
}

/** The audit logs of a store: a team's, or a lead's before it has a team. */
export function createAuditStore(context: StoreContext): AuditStore {
  const queue = new SerialQueue();
  return {
    append(owner, record) {
      const file = locate(context, owner);
      return queue.run(file.path, () =>
        withFileErrors("The decision was not recorded", file.path, async () => {
          await appendLines(context.fs, file, [record], { torn: "newline", durable: true });
        }),
      );
    },
    async read(owner) {
      const { path } = locate(context, owner);
      const { values } = await withFileErrors("The record of decisions cannot be read", path, () =>
        readLines(context.fs, path),
      );
      return values;
    },
  };
}

function locate({ paths }: StoreContext, owner: TranscriptOwner): LineFile {
  if ("leadSession" in owner) return { path: paths.leadAudit(owner.leadSession), top: null };
  const team = "team" in owner ? paths.team(owner.team) : paths.finished(owner.finished);
  return { path: team.audit, top: team.dir };
}
