/**
 * For so long a task that no event named counts as unchanged, ms: the watcher itself finds what events missed about as
 * late.
 */
const TRUST_MS = 5_000;

/** Which tasks the next read of a team has to look at. */
export interface TaskHints {
  /** This task may have changed; undefined: any. */
  add(id: string | undefined): void;
  /** Any task may have changed. */
  doubt(): void;
  /** What was added since the last call; undefined: all have to be looked at. Every read takes it once, as it begins. */
  take(): ReadonlySet<string> | undefined;
}

/**
 * Events are hints, so all tasks are looked at in the first seconds, in which the platform's watch begins, and from then
 * on every few seconds. `told`: whether anybody tells of tasks; `now` in ms.
 */
export function createTaskHints({
  told,
  now = () => performance.now(),
}: {
  told: boolean;
  now?: () => number;
}): TaskHints {
  const opened = now();
  let lookedAt = opened;
  let any = false;
  let hinted = new Set<string>();
  return {
    add(id) {
      if (id === undefined) any = true;
      else hinted.add(id);
    },
    doubt() {
      any = true;
    },
    take() {
      const at = now();
      const all = any || !told || at - opened < TRUST_MS || at - lookedAt >= TRUST_MS;
      if (all) lookedAt = at;
      const taken = hinted;
      hinted = new Set();
      any = false;
      return all ? undefined : taken;
    },
  };
}
