import { type ChangeRecord, type FileState, type FileStep, sameState, type ToldStep } from "../../protocol/changes.ts";
import { standing } from "./fileHistory.ts";
import { foldersOf, isSameEntry, type Look, type SeenEntry } from "./scanner.ts";

/** What was told so long before a look may have been made only after it, in ms. */
const OVERLAP_MS = 2_000;

/** A step of which a record tells. `id`: of its change; absent: it was an undo. */
interface Told extends FileStep {
  id?: string;
  /** It was told before the command began: it may have been made before the command's first look. */
  isEarly: boolean;
  /** Of *Write* or *Edit*, which know the file as it was right before. */
  isEdit: boolean;
  /** It may have been made only after the command's last look. */
  isOpen: boolean;
}

/** Steps that were told since a command began or shortly before it, in order, by path. */
export type ToldSteps = ReadonlyMap<string, readonly Told[]>;

/** `sinceMs`: when the command began; `lookedMs`: when the work tree had been looked at after it. */
export function toldSince(
  records: readonly ChangeRecord[],
  { sinceMs, lookedMs }: { sinceMs: number; lookedMs: number },
): ToldSteps {
  const made = new Set(records.flatMap((record) => (record.kind === "made" ? record.id : [])));
  const all = new Map<string, Told[]>();
  for (const record of standing(records)) {
    const atMs = Date.parse(record.at);
    if (atMs < sinceMs - OVERLAP_MS) continue;
    const isEdit = record.kind === "change" && record.tool !== "Bash";
    const isOpen = isEdit && !made.has(record.id) && atMs >= lookedMs - OVERLAP_MS;
    const facts = { isEdit, isOpen, isEarly: atMs < sinceMs, ...(record.kind === "change" ? { id: record.id } : {}) };
    for (const step of record.files) {
      const steps = all.get(step.path) ?? [];
      all.set(step.path, steps);
      steps.push({ ...step, ...facts });
    }
  }
  return all;
}

/**
 * What two looks tell of files. `passed`: what was there before the first and not looked at; of what is found there it is
 * not known whether it was there. `told`: files that others changed meanwhile, which are told of even where they are again
 * what they were; `gone`: those of them that were in neither look, and are not there.
 */
export interface Looks {
  before: Look;
  after: Look;
  passed: ReadonlySet<string>;
  told: ToldSteps;
  gone: readonly string[];
}

/** What each file was in both looks, where that is not the same. */
export async function stepsBetween(
  { before, after, passed, told, gone }: Looks,
  stateOf: (entry: SeenEntry, path: string) => Promise<FileState>,
): Promise<FileStep[]> {
  const steps: FileStep[] = gone.map((path) => ({ path, before: null, after: null }));
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(path), after.get(path)];
    if (!told.has(path) && isSameEntry(old, now)) continue;
    if (!old && [path, ...foldersOf(path)].some((place) => passed.has(place))) continue;
    steps.push({ path, before: old ? await stateOf(old, path) : null, after: now ? await stateOf(now, path) : null });
  }
  return steps;
}

/** What of a step nobody told: what lies before, between and behind the steps that were told of its file. */
export function untoldSteps({ path, before, after }: FileStep, told: readonly Told[]): ToldStep[] {
  const since = toldAfter(before, told);
  const last = since.at(-1);
  const isToCome = last?.isOpen && !sameState(last.after, after);
  const untold: ToldStep[] = [];
  let now = before;
  for (const step of isToCome ? since.slice(0, -1) : since) {
    if (step.isEdit && !sameState(now, step.before))
      untold.push({ path, before: seen(now, step.before), after: step.before, ...untilOf(step) });
    now = step.after;
  }
  if (!sameState(now, after))
    untold.push({ path, before: seen(now, after), after, ...(isToCome ? untilOf(last) : {}) });
  return untold;
}

/** A state whose permissions are a guess had most likely those that were seen next. */
function seen(state: FileState | null, next: FileState | null): FileState | null {
  if (!state?.guessed) return state;
  const { guessed: _, ...rest } = state;
  return { ...rest, mode: next?.mode ?? rest.mode };
}

/** What was made after the look that saw the file as `before`. */
function toldAfter(before: FileState | null, told: readonly Told[]): readonly Told[] {
  const first = told.findIndex((step) => sameState(step.before, before));
  if (first >= 0) return told.slice(first);
  const last = told.findLastIndex((step) => sameState(step.after, before));
  return last >= 0 ? told.slice(last + 1) : told.filter(({ isEarly }) => !isEarly);
}

function untilOf({ id }: Told): Pick<ToldStep, "until"> {
  return id === undefined ? {} : { until: id };
}
