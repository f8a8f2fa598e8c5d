import type { HostMessage } from "../protocol/panelMessages.ts";

/** Sends a message only if it is not the one that was sent last of its type, and for a reply of its member. */
export interface Changes {
  send(message: HostMessage): void;
  always(message: HostMessage): void;
  /** Forgets everything that was sent. */
  forgetAll(): void;
  /** Forgets which reply of a member was sent. */
  forgetStreaming(member: string): void;
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
    forgetAll: () => sent.clear(),
    forgetStreaming: (member) => void sent.get("streaming")?.delete(member),
  };
}
