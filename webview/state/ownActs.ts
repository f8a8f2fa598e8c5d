import type { ReadonlySignal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import type { AttentionItem } from "../../src/protocol/panel.ts";

/** For how long a request that goes after the person did something here goes by that, in milliseconds. */
const ACT_MS = 10_000;

/** Tells what goes because of the person from what goes by itself. */
export interface OwnActs {
  /** The person decided this request here. */
  readonly decided: (id: string) => void;
  /** A way to send what is no decision: an answer and a raised budget settle a request too. */
  readonly watched: (send: (intent: Intent) => void) => (intent: Intent) => void;
  /** Whether the person has just done here what settles this request. */
  readonly includes: (id: string) => boolean;
}

/** The person has done nothing yet. `items`: what waits. */
export function createOwnActs(items: ReadonlySignal<readonly AttentionItem[]>): OwnActs {
  const acts = new Map<string, number>();
  const isLate = (at: number) => Date.now() - at > ACT_MS;
  const decided = (id: string) => {
    for (const [known, at] of acts) if (isLate(at)) acts.delete(known);
    acts.set(id, Date.now());
  };
  return {
    decided,
    watched: (send) => (intent) => {
      for (const item of items.peek()) if (settles(intent, item)) decided(item.id);
      send(intent);
    },
    includes: (id) => !isLate(acts.get(id) ?? 0),
  };
}

function settles(intent: Intent, item: AttentionItem): boolean {
  if (item.kind === "answer") return intent.type === "send" && intent.to === item.from.name;
  return item.kind === "budget" && intent.type === "raiseBudget" && intent.to !== null && intent.member === item.member;
}
