import { messageId } from "../../protocol/message.ts";
import type { ConversationItem, Told } from "../../protocol/panel.ts";
import type { InputOrigin } from "../../protocol/transcript.ts";
import type { MailByRecipient } from "./mail.ts";
import { threadId } from "./threads.ts";

/** One of them, with the id of its entry where it came in an inbox. */
export type Order = Omit<Told, "message"> & { id?: string };

/** Whom a member has heard from, kept up with its transcript record by record. */
export interface Orders {
  /** Something has begun the run that goes on; what comes during it is not what it is for. */
  begun: boolean;
  /** What began the newest run; null: a task that is free did, or its sender is not known. */
  run: Order | null;
  /** The newest words of the person. */
  person: Order | null;
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
 * Takes in an input: the items that it became, the first of which stands at the place `first`, and the ids of the entries
 * that it was made of. What the runtime itself says begins nothing: a run that goes on after a restart is for what it was
 * for before.
 */
export function takeOrders(
  orders: Orders,
  origin: InputOrigin,
  { items, first, ids = [] }: { items: readonly ConversationItem[]; first: number; ids?: readonly string[] },
): void {
  if (origin === "system" || origin === "digest") return;
  const told = origin === "task" ? null : toldIn(items, first, ids);
  if (origin === "person") orders.person = told;
  if (!orders.begun) orders.run = told;
  orders.begun = true;
}

/** The first message whose sender is known. A note before a message says that it was not sent by this team. */
function toldIn(items: readonly ConversationItem[], first: number, ids: readonly string[]): Order | null {
  let entries = 0; // each is one input, maybe with a note before it
  for (const [index, item] of items.entries()) {
    if (item.type !== "input") continue;
    const id = ids[entries];
    entries += 1;
    if (item.from === null || items[index - 1]?.type === "note") continue;
    return { by: item.from, at: item.at, seq: first + index, ...(id === undefined ? {} : { id }) };
  }
  return null;
}

/** An order as the panel gets it: it leads to its message, where that is among the mail of the member. */
export function toldTo(member: string, order: Order | null, mail: MailByRecipient): Told | null {
  if (!order) return null;
  const { id, ...told } = order;
  const entry = id === undefined ? undefined : mail.get(member)?.entries.find((one) => messageId(one) === id);
  return id !== undefined && entry ? { ...told, message: { thread: threadId(entry.from, member), id } } : told;
}
