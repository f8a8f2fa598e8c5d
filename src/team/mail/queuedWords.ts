import { messageId } from "../../protocol/message.ts";
import { splitImageLines } from "../../protocol/messageImage.ts";
import { PERSON_NAME } from "../../protocol/names.ts";
import type { QueuedMessage } from "../../protocol/panel.ts";
import { allMembers, authorityOf, type SessionContext } from "../context.ts";
import { imagesOf } from "../views/toolBody.ts";

/** The person's own words that lie unread before a member, oldest first: it is busy, or something holds it. */
export function queuedWords(context: SessionContext, name: string): QueuedMessage[] {
  const running = allMembers(context).find(({ member }) => member.name === name);
  if (!running) return [];
  const inbox = context.team?.watch.snapshot.inboxes.get(name)?.entries ?? [];
  const written = inbox.flatMap((entry): QueuedMessage[] => {
    const id = messageId(entry);
    if (entry.read || entry.from !== PERSON_NAME || authorityOf(context, name, entry, id) !== "person") return [];
    const { text, images } = splitImageLines(entry.text);
    return [{ id, at: Date.parse(entry.timestamp) || 0, text, ...(images.length > 0 ? { images } : {}) }];
  });
  const spoken = running.words.map(
    ({ text, images, at }): QueuedMessage => ({ id: `${at}`, at, text, ...imagesOf([...images]) }),
  );
  return [...written, ...spoken];
}
