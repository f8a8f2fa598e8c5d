import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type ChangeRecord, changeRecordSchema } from "../protocol/changes.ts";
import { withDir } from "./folders.ts";
import { isMissing, isTaken, withFileErrors } from "./fsErrors.ts";
import { appendLines, readLines } from "./lines.ts";
import type { StoreContext } from "./storeContext.ts";
import type { TranscriptOwner } from "./transcriptStore.ts";

/** `muster/changes.jsonl` with the bytes of the files that it names: what the members of a team changed. */
export interface ChangeStore {
  append(owner: TranscriptOwner, record: ChangeRecord): Promise<void>;
  /** Records whose lines were completed since `offset` (bytes; 0: all), and the offset for the next read. */
  read(owner: TranscriptOwner, offset?: number): Promise<{ records: ChangeRecord[]; next: number }>;
  /** Keeps the bytes of a file; resolves to their hex SHA-256. */
  keep(owner: TranscriptOwner, bytes: Uint8Array): Promise<string>;
  /** Null: they were not kept, or are not what was kept. */
  content(owner: TranscriptOwner, hash: string): Promise<Buffer | null>;
}

/** The changes of a store's teams, and of leads before they have a team. */
export function createChangeStore(context: StoreContext): ChangeStore {
  const { fs } = context;
  return {
    async append(owner, record) {
      const { log, top } = locate(context, owner);
      // members in processes of their own write here too
      await withFileErrors("The change was not recorded", log, () =>
        appendLines(fs, { path: log, top }, [record], { torn: "newline" }),
      );
    },
    async read(owner, offset = 0) {
      const { log } = locate(context, owner);
      const read = await withFileErrors("The record of changes cannot be read", log, () => readLines(fs, log, offset));
      const records = read.values.flatMap((value) => changeRecordSchema.safeParse(value).data ?? []);
      return { records, next: read.next };
    },
    async keep(owner, bytes) {
      const { files, top } = locate(context, owner);
      const hash = sha256(bytes);
      const path = join(files, hash);
      await withFileErrors("The file was not kept", path, () =>
        withDir(fs, files, top, async () => {
          try {
            if ((await fs.stat(path)).size === bytes.length) return;
            await fs.unlink(path); // half written by a process that was killed
          } catch (error) {
            if (!isMissing(error)) throw error;
          }
          await fs.writeNew(path, bytes, false).catch((error: unknown) => {
            if (!isTaken(error)) throw error; // another member keeps the same bytes now
          });
        }),
      );
      return hash;
    },
    async content(owner, hash) {
      const path = join(locate(context, owner).files, hash);
      try {
        const { bytes } = await fs.read(path);
        return sha256(bytes) === hash ? bytes : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}

interface Place {
  log: string;
  files: string;
  /** The folder that must exist already. */
  top: string | null;
}

function locate({ paths }: StoreContext, owner: TranscriptOwner): Place {
  if ("leadSession" in owner) {
    const log = paths.leadChanges(owner.leadSession);
    return { log, files: log.replace(/\.jsonl$/, ""), top: null };
  }
  const team = "team" in owner ? paths.team(owner.team) : paths.finished(owner.finished);
  return { log: team.changes, files: join(dirname(team.changes), "files"), top: team.dir };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
