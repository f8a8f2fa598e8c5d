import type { Thread } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";

type Message<T extends HostMessage["type"]> = Extract<HostMessage, { type: T }>;

/** Keeps what the host has sent of threads beside their newest messages. */
export interface OlderMessages {
  /** Rows as the host sent them, with the older messages that are known of them in `list`. */
  readonly withOlder: (list: readonly Thread[] | null, rows: readonly Thread[]) => readonly Thread[];
  /** The list with messages put into one of its threads. */
  readonly put: (list: readonly Thread[], part: Message<"threadPart">) => readonly Thread[];
  readonly forget: () => void;
}

/** Nothing older has come yet. */
export function createOlderMessages(): OlderMessages {
  const paged = new Set<string>();
  return {
    withOlder(list, rows) {
      if (paged.size === 0) return rows;
      const known = new Map(list?.map((thread) => [thread.id, thread]));
      return rows.map((row) => {
        const before = paged.has(row.id) ? known.get(row.id) : undefined;
        const whole = before && joined(before, row);
        if (!whole) paged.delete(row.id);
        return whole ?? row;
      });
    },
    put(list, part) {
      paged.add(part.thread);
      return list.map((thread) => (thread.id === part.thread ? withPart(thread, part) : thread));
    },
    forget: () => paged.clear(),
  };
}

/** What is known, and behind it the row; null where something between the two is missing. */
function joined(before: Thread, row: Thread): Thread | null {
  const first = row.messages[0]?.id;
  const at = before.messages.findIndex(({ id }) => id === first);
  if (at < 0) return null;
  const own = new Set(row.messages.map(({ id }) => id));
  const older = before.messages.slice(0, at).filter(({ id }) => !own.has(id));
  return { ...row, messages: [...older, ...row.messages], omitted: Math.max(0, row.omitted - older.length) };
}

/** A part without `earlier` tells news of messages that were sent before: of one that is not known any more there are none. */
function withPart(thread: Thread, { messages, earlier }: Message<"threadPart">): Thread {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const known = thread.messages.map((message) => {
    const now = byId.get(message.id);
    byId.delete(message.id);
    return now ?? message;
  });
  if (earlier === undefined) return { ...thread, messages: known };
  return { ...thread, messages: [...byId.values(), ...known], omitted: earlier };
}
