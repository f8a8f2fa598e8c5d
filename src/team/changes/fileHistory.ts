import { type ChangeRecord, type FileState, type FileStep, sameState, type ToldStep } from "../../protocol/changes.ts";
import { commandsBeside } from "./commandTimes.ts";

/** One change of one file that stands: nobody took it back. */
export interface MemberStep extends FileStep {
  /** Of the change that told it. */
  id: string;
  member: string;
  /** Others whose commands ran at the same time: it may be theirs instead, which nobody can tell. Mostly none. */
  others: readonly string[];
  /** When the command that made it ran, in ISO 8601; absent: none did, or that is not known. */
  command?: { since: string; ended: string };
}

/** The changes of each file that stand, oldest first, by absolute path. */
export type FileHistories = ReadonlyMap<string, readonly MemberStep[]>;

/** What the records of a team tell of each file. */
export function fileHistories(records: readonly ChangeRecord[]): FileHistories {
  const histories = new Map<string, MemberStep[]>();
  const beside = commandsBeside(records);
  for (const record of standing(records)) {
    for (const step of record.files) {
      const steps = histories.get(step.path) ?? [];
      histories.set(step.path, steps);
      if (record.kind === "change") insert(steps, step, { ...authorOf(record), others: beside(record, step.path) });
      else takeBack(steps, record.member, step);
    }
  }
  for (const [path, steps] of histories) if (steps.length === 0) histories.delete(path);
  return histories;
}

function authorOf({ id, member, since, at }: Change): Pick<MemberStep, "id" | "member" | "command"> {
  return { id, member, ...(since === undefined ? {} : { command: { since, ended: at } }) };
}

function insert(steps: MemberStep[], { until, ...step }: ToldStep, by: Omit<MemberStep, keyof FileStep>): void {
  const place = until === undefined ? -1 : steps.findIndex(({ id }) => id === until);
  steps.splice(place < 0 ? steps.length : place, 0, { ...step, ...by });
}

function takeBack(steps: MemberStep[], member: string, undone: FileStep): void {
  const last = steps.at(-1);
  // a command that ended in the middle of the undo found what that wrote
  if (last && sameState(last.before, undone.before) && sameState(last.after, undone.after)) steps.pop();
  while (steps.at(-1)?.member === member) steps.pop();
}

/** Whether a member made a step, or may have made it. */
export function mayBeOf({ member, others }: Pick<MemberStep, "member" | "others">, name: string): boolean {
  return member === name || others.includes(name);
}

/** A file as it was before somebody's first change, and what made of it what it is after the last. */
export interface ChangedFile {
  path: string;
  before: FileState | null;
  after: FileState | null;
  /** Nobody else has changed it since, as far as is recorded. */
  last: boolean;
}

/** The files that a member changed or may have, or with null anybody; not those that are in the end what they were. By path. */
export function changedFiles(histories: FileHistories, member: string | null): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (const [path, steps] of histories) {
    const own = member === null ? steps : steps.filter((step) => mayBeOf(step, member));
    const [first, final] = [own[0], own.at(-1)];
    if (!first || !final || sameState(first.before, final.after)) continue;
    files.push({ path, before: first.before, after: final.after, last: final === steps.at(-1) });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Members with changes that stand, in order of their first; behind them those that only may have made some. */
export function authorsOf(histories: FileHistories, records: readonly ChangeRecord[]): string[] {
  const steps = [...histories.values()].flat();
  const standing = new Set(steps.flatMap(({ member, others }) => [member, ...others]));
  const all = records.flatMap((record) => (record.kind === "change" ? record.member : []));
  return [...new Set([...all, ...standing])].filter((member) => standing.has(member));
}

/**
 * Who changed each file, by absolute path, in order of the first change that stands; none where no member is known to
 * have. `isShared` (`personsPart`) tells which changes may be the person's alone: those make nobody one who changed it, and
 * neither do those that may be another member's.
 */
export function membersByFile(
  histories: FileHistories,
  isShared: (step: MemberStep) => boolean,
): Map<string, string[]> {
  const isSure = (step: MemberStep) => step.others.length === 0 && !isShared(step);
  const sure = (steps: readonly MemberStep[]) => steps.filter(isSure).map(({ member }) => member);
  return new Map([...histories].map(([path, steps]) => [path, [...new Set(sure(steps))]]));
}

type Change = Extract<ChangeRecord, { kind: "change" }>;

/** Changes and undos in order, without what was recorded but not made. */
export function standing(records: readonly ChangeRecord[]): Extract<ChangeRecord, { files: unknown }>[] {
  const taken = new Set(records.flatMap((record) => (record.kind === "void" ? record.id : [])));
  const modes = new Map(
    records.flatMap((record) => (record.kind === "made" ? [[record.id, record.mode] as const] : [])),
  );
  return records.flatMap((record) => {
    if (record.kind === "undo") return record;
    return record.kind === "change" && !taken.has(record.id) ? withMode(record, modes.get(record.id)) : [];
  });
}

/** The permissions of a file that *Write* made are a guess, until its record tells them. */
function withMode(change: Change, mode: number | undefined): Change {
  if (change.tool === "Bash") return change;
  const seen = ({ before, after }: FileStep) => {
    if (after === null) return null;
    if (mode !== undefined) return { ...after, mode };
    return before === null ? { ...after, guessed: true as const } : after;
  };
  return { ...change, files: change.files.map((step) => ({ ...step, after: seen(step) })) };
}
