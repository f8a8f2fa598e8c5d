import type { Thread } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { type FoldedRows, foldedRows } from "./foldedRows.ts";

/** Sends threads that changed: of one that is not open in the webview its newest message only. */
export function changedThreads(post: (message: HostMessage) => void): FoldedRows<Thread> {
  return foldedRows<Thread>(
    {
      whole: (threads) => post({ type: "threads", threads }),
      changed: (rows, removed) => post({ type: "threadRows", rows, removed }),
    },
    (thread) => (thread.messages.length < 2 ? thread : newestOf(thread)),
  );
}

function newestOf(thread: Thread): Thread {
  return { ...thread, messages: thread.messages.slice(-1), unsent: thread.messages.length - 1 };
}
