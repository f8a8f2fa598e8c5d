import { type Entry, messageId } from "../../protocol/message.ts";
import { parseBody } from "../../protocol/messageBody.ts";
import type { Correspondence, MemberRef } from "../../protocol/panel.ts";
import type { MailByRecipient, ReceivedMail } from "./mail.ts";
import type { People } from "./people.ts";

/** Newest texts that are shown, and characters of each. */
const LATEST = 6;
const CHARACTERS = 300;
/** How far back in each inbox the newest texts are looked for: protocol messages stand between them. */
const LOOK_BACK = 60;

/**
 * Tells who wrote to whom, and the newest texts; protocol messages, which nobody wrote, count in neither. What a recipient
 * got is looked through once, however often it is asked for.
 */
export function createCorrespondence(people: People): (mail: MailByRecipient) => Correspondence {
  const known = new WeakMap<ReceivedMail, Written>();
  const writtenIn = (mail: ReceivedMail) => {
    const written = known.get(mail) ?? writtenOf(mail);
    known.set(mail, written);
    return written;
  };
  return (mail) => correspondenceOf([...mail.values()].map(writtenIn), people);
}

/** What was written to one recipient. */
interface Written {
  to: string;
  /** Sender → number of its texts. */
  counts: ReadonlyMap<string, number>;
  /** Newest last. */
  latest: readonly { to: string; entry: Entry; at: number }[];
}

function writtenOf({ to, entries }: ReceivedMail): Written {
  const counts = new Map<string, number>();
  const latest: Written["latest"][number][] = [];
  for (const [index, entry] of entries.entries()) {
    if (parseBody(entry.text).kind !== "message") continue;
    counts.set(entry.from, (counts.get(entry.from) ?? 0) + 1);
    if (index >= entries.length - LOOK_BACK) latest.push({ to, entry, at: Date.parse(entry.timestamp) || 0 });
  }
  return { to, counts, latest };
}

function correspondenceOf(all: readonly Written[], people: People): Correspondence {
  const known = new Map<string, MemberRef>();
  const nameOf = (name: string) => {
    const who = people(name);
    known.set(who.name, who);
    return who.name;
  };
  const pairs = all.flatMap(({ to, counts }) =>
    [...counts].map(([from, count]) => ({ from: nameOf(from), to: nameOf(to), count })),
  );
  const latest = all
    .flatMap((written) => written.latest)
    .sort((one, other) => other.at - one.at)
    .slice(0, LATEST)
    .map(({ to, entry, at }) => ({
      ...{ id: messageId(entry), at },
      from: nameOf(entry.from),
      to: nameOf(to),
      text: entry.text.slice(0, CHARACTERS),
    }));
  return { people: [...known.values()], pairs, latest };
}
