import type { Thread } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { type ChangedRows, changedRows } from "./changedRows.ts";

/** Sends threads that changed: of one that is not open in the webview its newest message only. */
export interface ChangedThreads extends ChangedRows<Thread> {
  /** The webview shows the messages of this thread from now on. */
  open(id: string): void;
}

/** Nothing was sent yet, and nothing is open. */
export function changedThreads(post: (message: HostMessage) => void): ChangedThreads {
  const opened = new Set<string>();
  const folded = new WeakMap<Thread, Thread>();
  let latest: readonly Thread[] = [];
  const rows = changedRows<Thread>({
    whole: (threads) => post({ type: "threads", threads }),
    changed: (changed, removed) => post({ type: "threadRows", rows: changed, removed }),
  });
  /** Of the same thread the same object, so that it is known not to have changed. */
  const shownOf = (thread: Thread): Thread => {
    if (opened.has(thread.id) || thread.messages.length < 2) return thread;
    const known = folded.get(thread) ?? foldedThread(thread);
    folded.set(thread, known);
    return known;
  };
  return {
    send(threads) {
      latest = threads;
      rows.send(threads.map(shownOf));
    },
    open(id) {
      if (!latest.some((thread) => thread.id === id)) return;
      opened.add(id);
      rows.send(latest.map(shownOf));
    },
    forget() {
      latest = [];
      opened.clear();
      rows.forget();
    },
  };
}

function foldedThread(thread: Thread): Thread {
  return { ...thread, messages: thread.messages.slice(-1), unsent: thread.messages.length - 1 };
}
