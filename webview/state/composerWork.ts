import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";

export type Files = Extract<HostMessage, { type: "files" }>;

/** What the composer gets from the host while something is written. */
export interface ComposerWork {
  /** Files for what was typed behind `@`; null: nothing is looked for. */
  readonly files: ReadonlySignal<Files | null>;
  /** What a command wants to have in the draft. */
  readonly insert: Signal<string | null>;
  /** Looks for files, a moment later, so that not every key asks. Null: no more. */
  readonly find: (typed: string | null) => void;
  readonly receive: (files: Files) => void;
}

const PAUSE_MS = 120;

/** Nothing is looked for. */
export function createComposerWork(post: (intent: Intent) => void): ComposerWork {
  const files = signal<Files | null>(null);
  let wanted: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    files,
    insert: signal<string | null>(null),
    find(typed) {
      if (typed === wanted) return;
      wanted = typed;
      clearTimeout(timer);
      if (typed === null) files.value = null;
      else timer = setTimeout(() => post({ type: "findFiles", typed }), typed === "" ? 0 : PAUSE_MS);
    },
    receive(found) {
      if (found.typed === wanted) files.value = found;
    },
  };
}

/** What stands behind an `@` before the caret, and where the `@` is. */
export interface Mention {
  start: number;
  typed: string;
}

/**
 * The reference that is being typed at the caret; null where there is none. It may stand right behind a script that has
 * no blanks between words, and behind its punctuation.
 */
export function mentionAt(text: string, caret: number): Mention | null {
  const found = /(?:^|[\s([{,;\u0370-\uffff])@([^\s@"'`]{0,200})$/.exec(text.slice(0, caret));
  const typed = found?.[1];
  return typed === undefined ? null : { start: caret - typed.length - 1, typed };
}

/** The text with a reference in the place of what was typed, and where the caret goes. */
export function completed(text: string, { start, typed }: Mention, by: string): { text: string; caret: number } {
  const rest = text.slice(start + 1 + typed.length);
  const head = `${text.slice(0, start)}${by}${by === "" || rest.startsWith(" ") ? "" : " "}`;
  return { text: head + rest, caret: head.length + (by !== "" && rest.startsWith(" ") ? 1 : 0) };
}

/** How a file is referred to: in quotes where its path has blanks. */
export function fileReference(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}
