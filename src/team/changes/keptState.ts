import { createHash } from "node:crypto";
import type { ChangeRecord, FileState } from "../../protocol/changes.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";
import { hasObjectId } from "./hashFiles.ts";
import type { Scanner, SeenEntry } from "./scanner.ts";

interface KeptStatePorts {
  changes: Store["changes"];
  owner: TranscriptOwner;
  scanner: Scanner;
  /** What the record of `owner` holds. */
  records: readonly ChangeRecord[];
}

/**
 * The state of a file (absolute path) as a look found it, with its bytes beside the record. They may be gone where the
 * command, say, pruned the repository's objects: then those count that the record has of the file, if they are the same.
 */
export async function keptState(
  { changes, owner, scanner, records }: KeptStatePorts,
  entry: SeenEntry,
  path: string,
): Promise<FileState> {
  const bytes = await scanner.bytes(entry);
  const { mode } = entry;
  const state = { mode, ...(entry.link ? { link: true as const } : {}) };
  if (bytes) return { hash: await changes.keep(owner, bytes), ...state, kept: true };
  for (const hash of entry.kept ? hashesOf(records, path) : []) {
    const known = await changes.content(owner, hash);
    if (known && hasObjectId(known, entry.id)) return { hash, ...state, kept: true };
  }
  return { hash: createHash("sha256").update(entry.id).digest("hex"), ...state, kept: false };
}

/** Of what the file was whose bytes are kept, each once. */
function hashesOf(records: readonly ChangeRecord[], path: string): Set<string> {
  const steps = records
    .flatMap((record) => ("files" in record ? record.files : []))
    .filter((step) => step.path === path);
  return new Set(steps.flatMap(({ before, after }) => [before, after].flatMap((one) => (one?.kept ? one.hash : []))));
}
