import { type Entry, messageId } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import type { Correspondence, MemberRef } from "../../protocol/panel.ts";
import type { People } from "./people.ts";

/** Newest texts that are shown, and characters of each. */
const LATEST = 6;
const CHARACTERS = 300;
/** How far back in each inbox the newest texts are looked for: protocol messages stand between them. */
const LOOK_BACK = 60;

/**
 * Who wrote to whom, and the newest texts; protocol messages, which nobody wrote, count in neither. `inboxes`: name of the
 * recipient → its entries, oldest first.
 */
export function correspondenceOf(inboxes: ReadonlyMap<string, readonly Entry[]>, people: People): Correspondence {
  const known = new Map<string, MemberRef>();
  const nameOf = (name: string) => {
    const who = people(name);
    known.set(who.name, who);
    return who.name;
  };
  const pairs = [...inboxes].flatMap(([to, entries]) => {
    const senders = new Map<string, number>();
    for (const { from } of entries.filter(isWritten)) senders.set(from, (senders.get(from) ?? 0) + 1);
    return [...senders].map(([from, count]) => ({ from: nameOf(from), to: nameOf(to), count }));
  });
  return { people: [...known.values()], pairs, latest: latestOf(inboxes, nameOf) };
}

function isWritten({ text }: Entry): boolean {
  return parseBody(text).kind === "message";
}

function latestOf(
  inboxes: ReadonlyMap<string, readonly Entry[]>,
  nameOf: (name: string) => string,
): Correspondence["latest"] {
  return [...inboxes]
    .flatMap(([to, entries]) => entries.slice(-LOOK_BACK).map((entry) => ({ to, entry })))
    .filter(({ entry }) => isWritten(entry))
    .map(({ to, entry }) => ({ to, entry, at: Date.parse(entry.timestamp) || 0 }))
    .sort((one, other) => other.at - one.at)
    .slice(0, LATEST)
    .map(({ to, entry, at }) => ({
      ...{ id: messageId(entry), at },
      from: nameOf(entry.from),
      to: nameOf(to),
      text: entry.text.slice(0, CHARACTERS),
    }));
}
