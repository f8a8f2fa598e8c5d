import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";

export type Found = Extract<HostMessage, { type: "found" }>;

/** One match: the place of its item, and which of the matches in that item it is, from 0. */
export interface Match {
  seq: number;
  nth: number;
}

/** What is looked for in the conversation on show. The host looks; it has all of it. */
export interface Find {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly text: ReadonlySignal<string>;
  /** What the host found for the text as it is now; null: not known yet, or nothing is looked for. */
  readonly found: ReadonlySignal<Found | null>;
  /** The chosen match, from 0. */
  readonly index: ReadonlySignal<number>;
  readonly match: ReadonlySignal<Match | null>;
  /** How often the person has asked to find something: the field takes the focus each time. */
  readonly asked: ReadonlySignal<number>;
  open(): void;
  close(): void;
  setText(text: string): void;
  /** Another conversation is on show. */
  again(): void;
  /** The next match, or with -1 the one before; after the last comes the first. */
  step(by: 1 | -1): void;
  receive(found: Found): void;
}

/** Nothing is looked for. `isOnShow`: whether the conversation of this member is the one that is searched now. */
export function createFind(post: (intent: Intent) => void, isOnShow: (member: string) => boolean): Find {
  const isOpen = signal(false);
  const text = signal("");
  const found: Signal<Found | null> = signal(null);
  const index = signal(0);
  const asked = signal(0);
  const look = (next: string) => {
    found.value = null;
    text.value = next;
    post({ type: "find", text: next });
  };
  return {
    isOpen,
    text,
    found,
    index,
    match: computed(() => (isOpen.value && found.value ? matchAt(found.value, index.value) : null)),
    asked,
    open: () => {
      isOpen.value = true;
      asked.value += 1;
    },
    close: () => {
      isOpen.value = false;
      look("");
    },
    setText: (next) => look(next.slice(0, 200)),
    again: () => look(text.peek()),
    step: (by) => {
      const total = found.peek()?.total ?? 0;
      if (total > 0) index.value = (index.peek() + by + total) % total;
    },
    receive: (next) => {
      if (next.text !== text.peek() || !isOnShow(next.member)) return; // an answer to what was asked before
      const last = Math.max(0, next.total - 1);
      index.value = found.peek() === null ? last : Math.min(index.peek(), last); // the newest is read first
      found.value = next;
    },
  };
}

function matchAt({ matches }: Found, index: number): Match | null {
  let before = 0;
  for (const { seq, count } of matches) {
    if (index < before + count) return { seq, nth: index - before };
    before += count;
  }
  return null;
}
