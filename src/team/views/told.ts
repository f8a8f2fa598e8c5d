import type { ConversationItem, Told } from "../../protocol/panel.ts";
import type { InputOrigin } from "../../protocol/transcript.ts";

/** Whom a member has heard from, kept up with its transcript record by record. */
export interface Orders {
  /** Something has begun the run that goes on; what comes during it is not what it is for. */
  begun: boolean;
  /** What began the newest run; null: a task that is free did, or its sender is not known. */
  run: Told | null;
  /** The newest words of the person. */
  person: Told | null;
}

/** Nobody has said anything yet. */
export function noOrders(): Orders {
  return { begun: false, run: null, person: null };
}

/** The records of a member that took the name begin here. */
export function forgetOrders(orders: Orders): void {
  Object.assign(orders, noOrders());
}

/**
 * Takes in an input: the items that it became, the first of which stands at the place `first`. What the runtime itself
 * says begins nothing: a run that goes on after a restart is for what it was for before.
 */
export function takeOrders(
  orders: Orders,
  origin: InputOrigin,
  { items, first }: { items: readonly ConversationItem[]; first: number },
): void {
  if (origin === "system" || origin === "digest") return;
  const told = origin === "task" ? null : toldIn(items, first);
  if (origin === "person") orders.person = told;
  if (!orders.begun) orders.run = told;
  orders.begun = true;
}

/** The first message whose sender is known. A note before a message says that it was not sent by this team. */
function toldIn(items: readonly ConversationItem[], first: number): Told | null {
  for (const [index, item] of items.entries()) {
    if (item.type !== "input" || item.from === null || items[index - 1]?.type === "note") continue;
    return { by: item.from, at: item.at, seq: first + index };
  }
  return null;
}
