import type { HostMessage } from "../../protocol/panelMessages.ts";

/** The way to a webview that may be hidden: what it must not miss waits until its next document is ready. */
export interface Delivery {
  /** Sends a message to the document that is there. What an intent came to waits where there is none. */
  post(message: HostMessage): void;
  /** Keeps a message until the webview is ready. */
  later(message: HostMessage): void;
  /** To be called when the webview is ready: sends what has waited, in its order. */
  ready(): void;
}

/** Answers that wait at most: of a view that stays hidden the newest are worth most. */
const MOST_WAITING = 100;

/** `send` reaches the document; `isReady`: whether there is one that listens. */
export function createDelivery(send: (message: HostMessage) => void, isReady: () => boolean): Delivery {
  let waiting: HostMessage[] = [];
  const later = (message: HostMessage) => {
    waiting = [...waiting, message].slice(-MOST_WAITING);
  };
  return {
    post: (message) => (message.type === "done" && !isReady() ? later(message) : send(message)),
    later,
    ready() {
      const late = waiting;
      waiting = [];
      for (const message of late) send(message);
    },
  };
}
