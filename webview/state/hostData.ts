import { type Signal, signal } from "@preact/signals";
import type { Correspondence, DeletedTaskRow, PanelState, TaskRow, Thread } from "../../src/protocol/panel.ts";
import type { HostMessage } from "../../src/protocol/panelMessages.ts";
import { ActivityStore } from "./activityStore.ts";
import { ConversationStore } from "./conversationStore.ts";
import { createOlderMessages } from "./olderMessages.ts";

/** What the host has sent. `tasks` and `threads` are null until their tab has been asked for. */
export interface HostData {
  readonly panel: Signal<PanelState>;
  readonly tasks: Signal<readonly TaskRow[] | null>;
  /** Those that can be brought back. */
  readonly deletedTasks: Signal<readonly DeletedTaskRow[]>;
  readonly threads: Signal<readonly Thread[] | null>;
  /** On the Team Board. */
  readonly mail: Signal<Correspondence | null>;
  readonly activity: ActivityStore;
  /** What the host last said of rules that are being written. */
  readonly ruleCheck: Signal<Extract<HostMessage, { type: "ruleCheck" }> | null>;
  /** The conversation of a member; an empty one where nothing has come yet. */
  readonly conversation: (member: string) => ConversationStore;
  /** Whether a conversation has just been filled, and nothing new was said since. */
  readonly justLoaded: () => boolean;
  readonly receive: (message: HostMessage) => void;
}

/** Nothing has come yet: the panel is `loading`. */
export function createHostData(): HostData {
  const panel = signal<PanelState>({ screen: "loading" });
  const tasks = signal<readonly TaskRow[] | null>(null);
  const deletedTasks = signal<readonly DeletedTaskRow[]>([]);
  const threads = signal<readonly Thread[] | null>(null);
  const mail = signal<Correspondence | null>(null);
  const activity = new ActivityStore();
  const older = createOlderMessages();
  const ruleCheck: HostData["ruleCheck"] = signal(null);
  let loaded = true;
  const conversations = new Map<string, ConversationStore>();

  const conversation = (member: string) => {
    const known = conversations.get(member) ?? new ConversationStore();
    conversations.set(member, known);
    return known;
  };

  const receiveState = (state: PanelState) => {
    if (teamOf(panel.peek()) !== teamOf(state) && teamOf(panel.peek()) !== null) {
      tasks.value = null;
      deletedTasks.value = [];
      threads.value = null;
      mail.value = null;
      activity.clear();
      for (const store of conversations.values()) store.clear();
    }
    panel.value = state;
  };

  const receive = (message: HostMessage) => {
    if (message.type === "state") receiveState(message.state);
    else if (message.type === "tasks") tasks.value = [...message.tasks].sort(byNumber);
    else if (message.type === "taskRows") tasks.value = withRows(tasks.peek(), message, byNumber);
    else if (message.type === "deletedTasks") deletedTasks.value = message.tasks;
    else if (message.type === "threads") {
      older.forget();
      threads.value = message.threads;
    } else if (message.type === "threadRows") {
      const rows = older.withOlder(threads.peek(), message.rows);
      threads.value = withRows(threads.peek(), { ...message, rows }, byLastMessage);
    } else if (message.type === "threadPart")
      threads.value = threads.peek() && older.put(threads.peek() ?? [], message);
    else if (message.type === "mail") mail.value = message.mail;
    else if (message.type === "activity") activity.receive(message);
    else if (message.type === "ruleCheck") ruleCheck.value = message;
    else if (message.type === "queued") conversation(message.member).queued.value = message.messages;
    else if (message.type === "streaming") {
      if (message.text !== "") loaded = false;
      conversation(message.member).streaming.value = message.text;
    } else if (message.type === "conversation") {
      const store = conversation(message.member);
      loaded = message.reset && store.length === 0;
      if (message.reset) store.clear();
      store.put(message.items);
      if (message.earlier !== undefined) store.earlier.value = message.earlier;
    }
  };
  const lists = { tasks, deletedTasks, threads, mail, activity };
  return { panel, ...lists, ruleCheck, conversation, justLoaded: () => loaded, receive };
}

/** The list with rows put in and taken out, in its order. */
function withRows<T extends { id: string }>(
  list: readonly T[] | null,
  { rows, removed }: { rows: readonly T[]; removed: readonly string[] },
  order: (one: T, other: T) => number,
): readonly T[] {
  const byId = new Map(list?.map((row) => [row.id, row]));
  for (const id of removed) byId.delete(id);
  for (const row of rows) byId.set(row.id, row);
  return [...byId.values()].sort(order);
}

function byNumber(one: TaskRow, other: TaskRow): number {
  return Number(one.id) - Number(other.id);
}

/** The one with the newest message first. */
function byLastMessage(one: Thread, other: Thread): number {
  return (other.messages.at(-1)?.at ?? 0) - (one.messages.at(-1)?.at ?? 0);
}

/** The team that a state shows, or null. */
export function teamOf(state: PanelState): string | null {
  return state.screen === "team" ? state.team : null;
}
