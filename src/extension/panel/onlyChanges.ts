import type { HostMessage } from "../../protocol/panelMessages.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";
import { changedTasks } from "./changedTasks.ts";
import { changedThreads } from "./changedThreads.ts";
import { OlderMessages } from "./olderMessages.ts";

/**
 * Sends a message only if it is not the one that was sent last of its type (of its type and member for a reply and for
 * what is queued); of tasks and threads only those that changed.
 */
export interface Changes {
  send(message: HostMessage): void;
  always(message: HostMessage): void;
  /** Sends the threads of this team that changed, and what changed of older messages that were sent. */
  sendThreads(team: ShownTeam): void;
  /** Sends what was said in a thread before this message, the oldest that the webview has of it. */
  showEarlierMessages(team: ShownTeam, thread: string, before: string): void;
  /** The webview shows the messages of this thread; of one that it does not show only the newest is sent. */
  openThread(id: string): void;
  /** The webview shows this task's description; in a long list those of the others are not sent. */
  openTask(id: string): void;
  /** Forgets everything that was sent. */
  forgetAll(): void;
  /** Forgets what was sent of a member that is beside its conversation: the reply that it writes, what is queued for it. */
  forgetMember(member: string): void;
}

/** Nothing was sent yet. */
export function onlyChanges(post: (message: HostMessage) => void): Changes {
  const sent = new Map<HostMessage["type"], Map<string, string>>();
  const tasks = changedTasks(post);
  const threads = changedThreads(post);
  const older = new OlderMessages(post);
  return {
    send(message) {
      if (message.type === "tasks") return tasks.send(message.tasks);
      if (message.type === "threads") return threads.send(message.threads);
      const ofType = sent.get(message.type) ?? new Map<string, string>();
      sent.set(message.type, ofType);
      const key = message.type === "streaming" || message.type === "queued" ? message.member : "";
      const text = JSON.stringify(message);
      if (ofType.get(key) === text) return;
      if (message.type === "queued" && message.messages.length === 0 && !ofType.has(key)) return; // nothing is known of any
      ofType.set(key, text);
      post(message);
    },
    always: post,
    sendThreads(team) {
      const rows = team.threads();
      threads.send(rows);
      older.update(team, rows);
    },
    showEarlierMessages: (team, thread, before) => older.show(team, thread, before),
    openThread: threads.open,
    openTask: tasks.open,
    forgetAll() {
      sent.clear();
      tasks.forget();
      threads.forget();
      older.forget();
    },
    forgetMember(member) {
      sent.get("streaming")?.delete(member);
      sent.get("queued")?.delete(member);
    },
  };
}
