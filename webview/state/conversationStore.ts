import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ConversationItem, QueuedMessage } from "../../src/protocol/panel.ts";

/** One item at its place. The item is a signal of its own, so that a change of one draws one. */
export interface Entry {
  seq: number;
  item: ReadonlySignal<ConversationItem>;
}

/** The conversation of one member as far as the host has sent it, in order of `seq`. */
export class ConversationStore {
  /** Changes when items come or go, not when one changes. */
  readonly shape = signal(0);
  /** The reply that is being written; empty when there is none. */
  readonly streaming = signal("");
  /** What the person said and the member has not read yet. */
  readonly queued = signal<readonly QueuedMessage[]>([]);
  /** Items before the first one that are there and were not sent. */
  readonly earlier = signal(0);
  #entries: { seq: number; item: Signal<ConversationItem> }[] = [];
  readonly #bySeq = new Map<number, Signal<ConversationItem>>();

  /** Number of items. Reading it subscribes to `shape`. */
  get length(): number {
    return this.shape.value >= 0 ? this.#entries.length : 0;
  }

  /** Puts items at their places; one that exists is replaced. */
  put(items: readonly { seq: number; item: ConversationItem }[]): void {
    let grown = false;
    for (const { seq, item } of items) {
      const known = this.#bySeq.get(seq);
      if (known) known.value = item;
      else {
        this.#insert(seq, item);
        grown = true;
      }
    }
    if (grown) this.shape.value += 1;
  }

  clear(): void {
    this.#entries = [];
    this.#bySeq.clear();
    this.streaming.value = "";
    this.queued.value = [];
    this.earlier.value = 0;
    this.shape.value += 1;
  }

  /** The items from the index `from` up to, not with, `to`, oldest first. Reading it subscribes to `shape`. */
  slice(from: number, to: number): readonly Entry[] {
    return this.#entries.slice(from, Math.min(to, this.length));
  }

  /** The place of the item at this index; undefined where there is none. */
  seqAt(index: number): number | undefined {
    return this.#entries[index]?.seq;
  }

  /** Place of the first item; null where there is none. */
  get first(): number | null {
    return this.#entries[0]?.seq ?? null;
  }

  /** How many items there are from this place on. */
  countFrom(seq: number): number {
    const at = this.#entries.findIndex((entry) => entry.seq >= seq);
    return at < 0 ? 0 : this.#entries.length - at;
  }

  /** Items come at the end; one that is late finds its place from there. */
  #insert(seq: number, item: ConversationItem): void {
    const entry = { seq, item: signal(item) };
    const at = this.#entries.findLastIndex((other) => other.seq < seq) + 1;
    this.#entries.splice(at, 0, entry);
    this.#bySeq.set(seq, entry.item);
  }
}
