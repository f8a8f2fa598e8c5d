import type { TaskRow, Thread } from "../protocol/panel.ts";
import type { HostMessage } from "../protocol/panelMessages.ts";
import { changedRows } from "./changedRows.ts";

/**
 * Sends a message only if it is not the one that was sent last of its type, and for a reply of its member; of tasks and
 * threads only those that changed.
 */
export interface Changes {
  send(message: HostMessage): void;
  always(message: HostMessage): void;
  /** The webview shows the messages of this thread; of one that it does not show only the newest is sent. */
  openThread(id: string): void;
  /** Forgets everything that was sent. */
  forgetAll(): void;
  /** Forgets which reply of a member was sent. */
  forgetStreaming(member: string): void;
}

/** Nothing was sent yet. */
export function onlyChanges(post: (message: HostMessage) => void): Changes {
  const sent = new Map<HostMessage["type"], Map<string, string>>();
  const open = new Set<string>();
  const folded = foldedThreads();
  const tasks = changedRows<TaskRow>({
    whole: (rows) => post({ type: "tasks", tasks: rows }),
    changed: (rows, removed) => post({ type: "taskRows", rows, removed }),
  });
  const threads = changedRows<Thread>({
    whole: (rows) => post({ type: "threads", threads: rows }),
    changed: (rows, removed) => post({ type: "threadRows", rows, removed }),
  });
  return {
    send(message) {
      if (message.type === "tasks") return tasks.send(message.tasks);
      if (message.type === "threads")
        return threads.send(message.threads.map((thread) => (open.has(thread.id) ? thread : folded(thread))));
      const ofType = sent.get(message.type) ?? new Map<string, string>();
      sent.set(message.type, ofType);
      const key = message.type === "streaming" ? message.member : "";
      const text = JSON.stringify(message);
      if (ofType.get(key) === text) return;
      ofType.set(key, text);
      post(message);
    },
    always: post,
    openThread: (id) => void open.add(id),
    forgetAll() {
      open.clear();
      sent.clear();
      tasks.forget();
      threads.forget();
    },
    forgetStreaming: (member) => void sent.get("streaming")?.delete(member),
  };
}

/** Leaves of a thread its newest message; of the same thread it makes the same object. */
function foldedThreads(): (thread: Thread) => Thread {
  const known = new WeakMap<Thread, Thread>();
  return (thread) => {
    const unsent = thread.messages.length - 1;
    if (unsent < 1) return thread;
    const folded = known.get(thread) ?? { ...thread, messages: thread.messages.slice(-1), unsent };
    known.set(thread, folded);
    return folded;
  };
}
