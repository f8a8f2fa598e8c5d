import { type ChangeRecord, type FileState, type FileStep, sameState } from "../../protocol/changes.ts";
import { fileHistories, type MemberStep, mayBeOf } from "./fileHistory.ts";
import { personsPart } from "./personSaves.ts";
import type { UnrecordedPlaces } from "./unrecorded.ts";

/**
 * Why a member's changes of a file are not undone: another member changed it later (`by`), the person did while a command
 * of the member or, later, of another one ran (`by`), it changed while commands of several members ran (`by`), somebody
 * changed it of whom no record tells, its bytes are not kept, an editor holds changes of it that are not saved, or it belongs
 * to a file that was renamed and stays (`other`).
 */
export type UndoRefusal =
  | { kind: "member"; by: string }
  | { kind: "person"; by: string }
  | { kind: "commands"; by: string[] }
  | { kind: "somebody" }
  | { kind: "not_kept" }
  | { kind: "unsaved" }
  | { kind: "renamed"; other: string };

/** What undoing a member's changes does: `files` go from what they are (`before`) to what they were (`after`). */
export interface UndoPlan {
  member: string;
  files: FileStep[];
  refused: { path: string; why: UndoRefusal }[];
  /** Where the member's commands may have changed something that stays, as nobody knows of it; null: it ran none. */
  unrecorded: UnrecordedPlaces | null;
}

/**
 * Plans the undo of everything that a member changed or may have changed. `now`: the files as they lie there, by path; `unsaved`: paths of
 * those that an editor holds changes of. A file is left alone as a whole where anybody changed it after the member's first
 * change of it, or may have made that one. Files that are what they were need nothing.
 */
export function planUndo(
  records: readonly ChangeRecord[],
  member: string,
  { now, unsaved = NONE }: { now: ReadonlyMap<string, FileState | null>; unsaved?: ReadonlySet<string> },
): Omit<UndoPlan, "unrecorded"> {
  const files: FileStep[] = [];
  const refused = new Map<string, UndoRefusal>();
  const isShared = personsPart(records);
  for (const [path, steps] of fileHistories(records)) {
    const first = steps.findIndex((step) => mayBeOf(step, member));
    if (first < 0) continue;
    const own = steps.slice(first);
    const before = now.get(path) ?? null;
    const after = own[0]?.before ?? null;
    const why = refusalOf(own, { member, isShared, now: before });
    if (why) refused.set(path, why);
    else if (sameState(before, after)) continue;
    else if (unsaved.has(path)) refused.set(path, { kind: "unsaved" });
    else files.push({ path, before, after });
  }
  const whole = withRenames(files, refused, renames(records, member));
  return {
    member,
    files: whole.sort(byPath),
    refused: [...refused].map(([path, why]) => ({ path, why })).sort(byPath),
  };
}

const NONE: ReadonlySet<string> = new Set();

interface Overlaps {
  member: string;
  isShared(step: MemberStep): boolean;
  now: FileState | null;
}

function refusalOf(steps: readonly MemberStep[], { member, isShared, now }: Overlaps): UndoRefusal | null {
  // what another member's command is found to have changed may be the person's alone, where the person saved meanwhile
  const later = steps.find((step) => step.member !== member && step.others.length === 0 && !isShared(step));
  if (later) return { kind: "member", by: later.member };
  const shared = steps.find(isShared);
  if (shared) return { kind: "person", by: shared.member };
  const unsure = steps.filter(({ others }) => others.length > 0);
  if (unsure.length > 0)
    return { kind: "commands", by: [...new Set(unsure.flatMap((step) => [step.member, ...step.others]))] };
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return null;
  const broken = steps.some((step, index) => index > 0 && !sameState(steps[index - 1]?.after ?? null, step.before));
  if (broken) return { kind: "somebody" };
  if (sameState(now, first.before)) return null;
  // what is not kept cannot be told from what somebody else made of it either
  if (first.before?.kept === false || last.after?.kept === false) return { kind: "not_kept" };
  return sameState(now, last.after) ? null : { kind: "somebody" };
}

/** A file that was renamed is undone on both sides or on neither; `refused` grows. */
function withRenames(
  files: readonly FileStep[],
  refused: Map<string, UndoRefusal>,
  pairs: readonly (readonly [string, string])[],
): FileStep[] {
  for (let grows = true; grows; ) {
    grows = false;
    for (const pair of pairs.flatMap(([from, to]) => [[from, to] as const, [to, from] as const])) {
      const [stays, path] = pair;
      if (!refused.has(stays) || refused.has(path) || !files.some((file) => file.path === path)) continue;
      refused.set(path, { kind: "renamed", other: stays });
      grows = true;
    }
  }
  return files.filter(({ path }) => !refused.has(path));
}

/** Paths that one call emptied, with those that it filled with the same bytes. */
function renames(records: readonly ChangeRecord[], member: string): (readonly [string, string])[] {
  return records.flatMap((record) => {
    if (record.kind !== "change" || record.member !== member) return [];
    const gone = record.files.filter(({ before, after }) => before && !after && before.hash !== EMPTY);
    return gone.flatMap(({ path, before }) =>
      record.files
        .filter((step) => step.before === null && step.after?.hash === before?.hash)
        .map((step) => [path, step.path] as const),
    );
  });
}

/** SHA-256 of no bytes: empty files are not taken for one another. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}
