import { inboxFileName, PERSON_NAME } from "../../protocol/names.ts";
import type { Thread } from "../../protocol/panel.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";

/** Threads in which what nobody will read any more, because its recipient is dead or gone, is a dead letter. */
export function withDeadLetters(threads: Thread[], snapshot: TeamSnapshot): Thread[] {
  const gone = goneIn(snapshot);
  return threads.map((thread) => {
    if (!thread.messages.some(({ to, delivery }) => delivery !== "read" && gone(to))) return thread;
    const messages = thread.messages.map((message) =>
      message.delivery !== "read" && gone(message.to) ? { ...message, delivery: "dead" as const } : message,
    );
    const dead = messages.filter(({ delivery }) => delivery === "dead").length;
    return { ...thread, messages, unread: Math.max(0, thread.unread - dead) };
  });
}

/** Whether nobody of this name will read: it is no member any more, it is dead, or the whole team has ended. */
function goneIn({ config, presence, finishedAt }: TeamSnapshot): (name: string) => boolean {
  const members = new Set(config.members.map(({ name }) => name));
  return (name) => {
    if (name === PERSON_NAME) return false;
    return finishedAt !== null || !members.has(name) || presence.get(inboxFileName(name))?.state === "dead";
  };
}
