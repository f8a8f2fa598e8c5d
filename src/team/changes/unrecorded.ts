import type { ChangeRecord } from "../../protocol/changes.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";

/**
 * Where a member's commands may have changed something of which no record tells. `git`: in what git ignores, and outside of
 * the folder. `folder`, where no commit was made: outside of it too, in folders that are passed over, and anywhere while it
 * held too many files.
 */
export type UnrecordedPlaces = "git" | "folder";

/** Of a member whose transcripts are these; null: it ran no command, so that all it changed is recorded. */
export async function unrecordedPlaces(
  { transcripts }: Pick<Store, "transcripts">,
  { member, owners }: { member: string; owners: readonly TranscriptOwner[] },
  records: readonly ChangeRecord[],
): Promise<UnrecordedPlaces | null> {
  const recorded = records.some(
    (record) =>
      (record.kind === "command" || (record.kind === "change" && record.tool === "Bash")) && record.member === member,
  );
  if (!recorded && !(await ranCommand(transcripts, owners))) return null;
  return records.some((record) => record.kind === "start" && record.commit !== null) ? "git" : "folder";
}

/** A transcript that cannot be read may hold one. */
async function ranCommand(transcripts: Store["transcripts"], owners: readonly TranscriptOwner[]): Promise<boolean> {
  try {
    for (const owner of owners) {
      const all = await transcripts.read(owner);
      if (all.some((record) => record.kind === "tool_start" && record.name === "Bash")) return true;
    }
    return false;
  } catch {
    return true;
  }
}
