import type { HostMessage } from "../protocol/panelMessages.ts";

/** Sends a message only if it is not the one that was sent last of its type, and for a reply of its member. */
export interface Changes {
  send(message: HostMessage): void;
  always(message: HostMessage): void;
  /** Forgets what was sent: everything, or all messages of one type. */
  forget(type?: HostMessage["type"]): void;
}

/** Nothing was sent yet. */
export function onlyChanges(post: (message: HostMessage) => void): Changes {
  const sent = new Map<HostMessage["type"], Map<string, string>>();
  return {
    send(message) {
      const ofType = sent.get(message.type) ?? new Map<string, string>();
      sent.set(message.type, ofType);
      const key = message.type === "streaming" ? message.member : "";
      const text = JSON.stringify(message);
      if (ofType.get(key) === text) return;
      ofType.set(key, text);
      post(message);
    },
    always: post,
    forget: (type) => (type ? sent.delete(type) : sent.clear()),
  };
}
