import { type Entry, messageId } from "../../protocol/message.ts";
import { inboxFileName, PERSON_NAME } from "../../protocol/names.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";

type DeadIn = Pick<TeamSnapshot, "archives" | "config" | "finishedAt" | "inboxes" | "presence">;

/**
 * Whether an entry that `to` has not read is a dead letter: `to` is dead or gone, or the entry was put away when a new
 * member took the name.
 */
export function deadLettersIn(snapshot: DeadIn): (entry: Entry, to: string) => boolean {
  const gone = goneIn(snapshot);
  const putAway = new Map([...snapshot.archives].map(([name]) => [name, putAwayOf(name, snapshot)]));
  return (entry, to) => gone(to) || putAway.get(to)?.has(messageId(entry)) === true;
}

/** What the archive of this name holds and its inbox does not. */
function putAwayOf(name: string, { archives, inboxes }: DeadIn): Set<string> {
  const ids = new Set(archives.get(name)?.map(messageId));
  for (const entry of inboxes.get(name)?.entries ?? []) ids.delete(messageId(entry));
  return ids;
}

/** Whether nobody of this name will read: it is no member any more, it is dead, or the whole team has ended. */
function goneIn({ config, presence, finishedAt }: DeadIn): (name: string) => boolean {
  const members = new Set(config.members.map(({ name }) => name));
  return (name) => {
    if (name === PERSON_NAME) return false;
    return finishedAt !== null || !members.has(name) || presence.get(inboxFileName(name))?.state === "dead";
  };
}
