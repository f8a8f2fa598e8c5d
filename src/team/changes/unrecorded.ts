import type { ChangeRecord } from "../../protocol/changes.ts";
import type { Store } from "../../store/store.ts";
import type { TranscriptOwner } from "../../store/transcriptStore.ts";

/**
 * Where a member's commands may have changed something of which no record tells. `git`: in what git ignores, and outside of
 * the folder. `folder`, where no commit was made: outside of it too, and in folders that are passed over. `anywhere`: of one
 * of them nothing is known, as the folder held too many files, could not be looked at, or was not: it still runs, or its
 * process was killed.
 */
export type UnrecordedPlaces = "git" | "folder" | "anywhere";

/** Who ran a command of which it is not known what it changed; one that still runs is one. */
export function membersWithGaps(records: readonly ChangeRecord[]): Set<string> {
  const known = new Set(
    records.flatMap((record) => (record.kind === "ended" && record.also ? `${record.since} ${record.member}` : [])),
  );
  return new Set(
    records.flatMap((record) =>
      record.kind === "command" && !known.has(`${record.at} ${record.member}`) ? record.member : [],
    ),
  );
}

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
  if (membersWithGaps(records).has(member)) return "anywhere";
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
