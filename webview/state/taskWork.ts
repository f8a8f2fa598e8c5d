import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { TaskRow } from "../../src/protocol/panel.ts";

/** What the person does with tasks, and why something of it was not done. */
export interface TaskWork {
  /** Sentences by the row where they stand: a task's number, or `new`. */
  readonly errors: ReadonlySignal<ReadonlyMap<string, string>>;
  /** Rows of which something that was asked for is not answered yet. */
  readonly waiting: ReadonlySignal<ReadonlySet<string>>;
  /** The task that the person drags to a member. */
  readonly dragged: Signal<TaskRow | null>;
  /** Asks for a change; `done` runs when it was made. A new try takes the row's sentence away. */
  readonly ask: (row: string, make: (intent: string) => Intent, done?: () => void) => void;
  /** What became of an intent. Gives the sentence of one that was asked for here and failed. */
  readonly settle: (intent: string, error: string | null) => string | null;
}

/** Nothing was asked for yet. */
export function createTaskWork(post: (intent: Intent) => void): TaskWork {
  const errors = signal<ReadonlyMap<string, string>>(new Map());
  const waiting = signal<ReadonlySet<string>>(new Set());
  const asked = new Map<string, { row: string; done: (() => void) | undefined }>();
  const count = () => {
    waiting.value = new Set([...asked.values()].map(({ row }) => row));
  };
  const say = (row: string, error: string | null) => {
    const next = new Map(errors.peek());
    next.delete(row);
    if (error !== null) next.set(row, error);
    errors.value = next;
  };
  return {
    errors,
    waiting,
    dragged: signal<TaskRow | null>(null),
    ask(row, make, done) {
      const intent = crypto.randomUUID();
      asked.set(intent, { row, done });
      count();
      if (errors.peek().has(row)) say(row, null);
      post(make(intent));
    },
    settle(intent, error) {
      const one = asked.get(intent);
      asked.delete(intent);
      if (!one) return null;
      count();
      if (error === null) one.done?.();
      else say(one.row, error);
      return error;
    },
  };
}
