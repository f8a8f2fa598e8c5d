import { type ChangeRecord, type FileState, type FileStep, sameState } from "../../protocol/changes.ts";

/** One change of one file that stands: nobody took it back. */
export interface MemberStep extends FileStep {
  member: string;
  /** When the command that made it ran, in ISO 8601; absent: none did, or that is not known. */
  command?: { since: string; ended: string };
}

/** The changes of each file that stand, oldest first, by absolute path. */
export type FileHistories = ReadonlyMap<string, readonly MemberStep[]>;

/** What the records of a team tell of each file. */
export function fileHistories(records: readonly ChangeRecord[]): FileHistories {
  const histories = new Map<string, MemberStep[]>();
  for (const record of standing(records)) {
    for (const step of record.files) {
      const steps = histories.get(step.path) ?? [];
      histories.set(step.path, steps);
      if (record.kind === "change") steps.push({ ...step, member: record.member, ...commandOf(record) });
      else while (steps.at(-1)?.member === record.member) steps.pop();
    }
  }
  for (const [path, steps] of histories) if (steps.length === 0) histories.delete(path);
  return histories;
}

function commandOf({ since, at }: Extract<ChangeRecord, { kind: "change" }>): Pick<MemberStep, "command"> {
  return since === undefined ? {} : { command: { since, ended: at } };
}

/** A file as it was before somebody's first change, and what made of it what it is after the last. */
export interface ChangedFile {
  path: string;
  before: FileState | null;
  after: FileState | null;
  /** Nobody else has changed it since, as far as is recorded. */
  last: boolean;
}

/** The files that a member changed, or with null anybody; not those that are in the end what they were. By path. */
export function changedFiles(histories: FileHistories, member: string | null): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (const [path, steps] of histories) {
    const own = member === null ? steps : steps.filter((step) => step.member === member);
    const [first, final] = [own[0], own.at(-1)];
    if (!first || !final || sameState(first.before, final.after)) continue;
    files.push({ path, before: first.before, after: final.after, last: final === steps.at(-1) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Members with changes that stand, in order of their first. */
export function authorsOf(histories: FileHistories, records: readonly ChangeRecord[]): string[] {
  const standing = new Set([...histories.values()].flatMap((steps) => steps.map(({ member }) => member)));
  const all = records.flatMap((record) => (record.kind === "change" ? record.member : []));
  return [...new Set(all)].filter((member) => standing.has(member));
}

/**
 * Who changed each file, by absolute path, in order of the first change that stands; none where no member is known to
 * have. `isShared` (`personsPart`) tells which changes may be the person's alone: those make nobody one who changed it.
 */
export function membersByFile(
  histories: FileHistories,
  isShared: (step: MemberStep) => boolean,
): Map<string, string[]> {
  const sure = (steps: readonly MemberStep[]) => steps.filter((step) => !isShared(step)).map(({ member }) => member);
  return new Map([...histories].map(([path, steps]) => [path, [...new Set(sure(steps))]]));
}

/** Changes and undos in order, without what was recorded but not made. */
function standing(records: readonly ChangeRecord[]): Extract<ChangeRecord, { files: unknown }>[] {
  const taken = new Set(records.flatMap((record) => (record.kind === "void" ? record.id : [])));
  return records.flatMap((record) => {
    if (record.kind === "undo") return record;
    return record.kind === "change" && !taken.has(record.id) ? record : [];
  });
}
