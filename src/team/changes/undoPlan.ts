import { type ChangeRecord, type FileState, type FileStep, sameState } from "../../protocol/changes.ts";
import { fileHistories, type MemberStep, mayBeOf } from "./fileHistory.ts";
import { personsPart } from "./personSaves.ts";
import type { UnrecordedPlaces } from "./unrecorded.ts";

/**
 * Why a member's changes of a file are not undone: another member changed it later (`by`), the person did while a command
 * of the member or, later, of another one ran (`by`), it changed while commands of several members ran (`by`), somebody
 * changed it of whom no record tells, its bytes are not kept, an editor holds changes of it that are not saved, a folder on its
 * way is a link that stays (`folder`), or it belongs to a file that was renamed and stays (`other`).
 */
export type UndoRefusal =
  | { kind: "member"; by: string }
  | { kind: "person"; by: string }
  | { kind: "commands"; by: string[] }
  | { kind: "somebody" }
  | { kind: "not_kept" }
  | { kind: "unsaved" }
  | { kind: "linked"; folder: string }
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
 * What lies there. `now`: the files, by path; `behind`: of paths behind a link, which lead to other files, the link;
 * `unsaved`: paths of files that an editor holds changes of.
 */
interface Found {
  now: ReadonlyMap<string, FileState | null>;
  behind: ReadonlyMap<string, string>;
  unsaved: ReadonlySet<string>;
}

/**
 * Plans the undo of everything that a member changed or may have changed. A file is left alone as a whole where anybody
 * changed it after the member's first change of it, or may have made that one. Files that are what they were need nothing.
 * What lies behind a link that the undo takes away is not there.
 */
export function planUndo(
  records: readonly ChangeRecord[],
  member: string,
  { now, behind, unsaved }: Found,
): Omit<UndoPlan, "unrecorded"> {
  const files: FileStep[] = [];
  const refused = new Map<string, UndoRefusal>();
  const links = new Set<string>(); // those that the undo takes away
  const isShared = personsPart(records);
  const histories = [...fileHistories(records)].sort(([a], [b]) => Number(behind.has(a)) - Number(behind.has(b)));
  for (const [path, steps] of histories) {
    const first = steps.findIndex((step) => mayBeOf(step, member));
    if (first < 0) continue;
    const own = steps.slice(first);
    const before = now.get(path) ?? null;
    const after = own[0]?.before ?? null;
    const link = behind.get(path);
    const stays = link !== undefined && !links.has(link);
    const why = stays ? linked(link) : refusalOf(own, { member, isShared, now: before });
    if (why) refused.set(path, why);
    else if (sameState(before, after)) continue;
    else if (unsaved.has(path)) refused.set(path, { kind: "unsaved" });
    else files.push({ path, before, after });
    if (before?.link && after === null && !refused.has(path)) links.add(path);
  }
  const ties = [
    ...renames(records, member).flatMap(([from, to]) => [tie(from, to, renamed), tie(to, from, renamed)]),
    ...[...behind].map(([path, link]) => tie(link, path, linked)),
  ];
  const whole = withoutTied(files, refused, ties);
  return {
    member,
    files: whole.sort(byPath),
    refused: [...refused].map(([path, why]) => ({ path, why })).sort(byPath),
  };
}

/** A file that stays where another one does. */
interface Tie {
  path: string;
  other: string;
  why: UndoRefusal;
}

function tie(other: string, path: string, why: (other: string) => UndoRefusal): Tie {
  return { path, other, why: why(other) };
}

function renamed(other: string): UndoRefusal {
  return { kind: "renamed", other };
}

function linked(folder: string): UndoRefusal {
  return { kind: "linked", folder };
}

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

/** A file that was renamed is undone on both sides or on neither, one behind a link with it; `refused` grows. */
function withoutTied(files: readonly FileStep[], refused: Map<string, UndoRefusal>, ties: readonly Tie[]): FileStep[] {
  for (let grows = true; grows; ) {
    grows = false;
    for (const { path, other, why } of ties) {
      if (!refused.has(other) || refused.has(path) || !files.some((file) => file.path === path)) continue;
      refused.set(path, why);
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
