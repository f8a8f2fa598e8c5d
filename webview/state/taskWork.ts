import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { TaskRow } from "../../src/protocol/panel.ts";

/**
 * What the person does with the tasks of the team on show, or asks for to see a request whole, and why something of it
 * was not done.
 */
export interface TaskWork {
  /** Sentences by the row where they stand: a task's number, `new`, or the `openedKey` of a request. */
  readonly errors: ReadonlySignal<ReadonlyMap<string, string>>;
  /** Rows of which something that was asked for is not answered yet. */
  readonly waiting: ReadonlySignal<ReadonlySet<string>>;
  /** The task that the person drags to a member. */
  readonly dragged: Signal<TaskRow | null>;
  /**
   * Asks for a change; `done` runs when it was made, with the team that it was asked for: by then another one may be on
   * show. A new try takes the row's sentence away.
   */
  readonly ask: (row: string, make: (intent: string) => Intent, done?: (team: string | null) => void) => void;
  /** What became of an intent. Gives the sentence of one that was asked for here and failed. */
  readonly settle: (intent: string, error: string | null) => string | null;
}

/** A row of a team. */
interface Place {
  team: string | null;
  row: string;
}

interface Asked extends Place {
  intent: string;
  done: ((team: string | null) => void) | undefined;
}

interface Failed extends Place {
  error: string;
}

/** Nothing was asked for yet. `team`: the one on show. What belongs to another one is there again when that one is. */
export function createTaskWork(post: (intent: Intent) => void, team: ReadonlySignal<string | null>): TaskWork {
  const asked = signal<readonly Asked[]>([]);
  const failed = signal<readonly Failed[]>([]);
  const ofTeam = <T extends Place>(all: readonly T[]) => all.filter((one) => one.team === team.value);
  const forget = (place: Place) => {
    const others = failed.peek().filter(({ team: of, row }) => of !== place.team || row !== place.row);
    if (others.length < failed.peek().length) failed.value = others;
  };
  return {
    errors: computed(() => new Map(ofTeam(failed.value).map(({ row, error }) => [row, error]))),
    waiting: computed(() => new Set(ofTeam(asked.value).map(({ row }) => row))),
    dragged: signal<TaskRow | null>(null),
    ask(row, make, done) {
      const one = { intent: crypto.randomUUID(), team: team.peek(), row, done };
      asked.value = [...asked.peek(), one];
      forget(one);
      post(make(one.intent));
    },
    settle(intent, error) {
      const one = asked.peek().find((other) => other.intent === intent);
      if (!one) return null;
      asked.value = asked.peek().filter((other) => other !== one);
      forget(one);
      if (error === null) one.done?.(one.team);
      else failed.value = [...failed.peek(), { team: one.team, row: one.row, error }];
      return error;
    },
  };
}
