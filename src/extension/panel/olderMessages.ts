import type { Delivery, Thread, ThreadMessage } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";

type Part = Extract<HostMessage, { type: "threadPart" }>;

/** Messages of threads that a webview got beside the newest ones, as far as they may still change. */
export class OlderMessages {
  private readonly post: (part: Part) => void;
  /** By thread: as it was when it was last looked through, and what is not read of what was sent. */
  private readonly sent = new Map<string, { thread: Thread | null; unread: Map<string, Delivery> }>();

  constructor(post: (part: Part) => void) {
    this.post = post;
  }

  /** Sends what was said before this message: as much as one message to the webview holds. */
  show(team: ShownTeam, thread: string, before: string): void {
    const part = team.earlierMessages(thread, before);
    if (!part) return;
    this.post({ type: "threadPart", thread, ...part });
    const { unread } = this.sent.get(thread) ?? { unread: new Map<string, Delivery>() };
    keep(unread, part.messages);
    this.sent.set(thread, { thread: null, unread });
  }

  /** Sends those that were read meanwhile, or are queued or not any more. A thread that did not change is not looked through. */
  update(team: ShownTeam, threads: readonly Thread[]): void {
    if (this.sent.size === 0) return;
    for (const thread of threads) {
      const sent = this.sent.get(thread.id);
      if (!sent || sent.thread === thread || sent.unread.size === 0) continue;
      sent.thread = thread;
      const now = team.messages(thread.id, new Set(sent.unread.keys()));
      const messages = now.filter(({ id, delivery }) => sent.unread.get(id) !== delivery);
      keep(sent.unread, messages);
      if (messages.length > 0) this.post({ type: "threadPart", thread: thread.id, messages });
    }
  }

  /** The webview has nothing any more. */
  forget(): void {
    this.sent.clear();
  }
}

function keep(unread: Map<string, Delivery>, messages: readonly ThreadMessage[]): void {
  for (const { id, delivery } of messages) {
    if (delivery === "read") unread.delete(id);
    else unread.set(id, delivery);
  }
}
