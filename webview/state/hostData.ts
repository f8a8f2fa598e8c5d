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

/** What each message changes: a new one does not compile before it is here. */
type Handlers = { readonly [K in HostMessage["type"]]: (message: Extract<HostMessage, { type: K }>) => void };

const nothing = () => undefined;
/** What asks the view to do something, or answers it, is no data. */
const NO_DATA = { planDrafts: nothing, done: nothing, reveal: nothing, found: nothing, files: nothing };

/** Nothing has come yet: the panel is `loading`. */
export function createHostData(): HostData {
  const panel = signal<PanelState>({ screen: "loading" });
  const tasks = signal<readonly TaskRow[] | null>(null);
  const deletedTasks = signal<readonly DeletedTaskRow[]>([]);
  const threads = signal<readonly Thread[] | null>(null);
  const mail = signal<Correspondence | null>(null);
  const activity = new ActivityStore();
  const talk = createTalk();
  const ruleCheck: HostData["ruleCheck"] = signal(null);
  const receiveState = (state: PanelState) => {
    if (teamOf(panel.peek()) !== teamOf(state) && teamOf(panel.peek()) !== null) {
      tasks.value = null;
      deletedTasks.value = [];
      threads.value = null;
      mail.value = null;
      activity.clear();
      talk.clear();
    }
    panel.value = state;
  };

  const handlers: Handlers = {
    ...NO_DATA,
    state: ({ state }) => receiveState(state),
    tasks: (message) => {
      tasks.value = [...message.tasks].sort(byNumber);
    },
    taskRows: (message) => {
      tasks.value = withRows(tasks.peek(), message, byNumber);
    },
    deletedTasks: (message) => {
      deletedTasks.value = message.tasks;
    },
    ...threadHandlers(threads),
    mail: (message) => {
      mail.value = message.mail;
    },
    activity: (message) => activity.receive(message),
    ruleCheck: (message) => {
      ruleCheck.value = message;
    },
    ...talk.handlers,
  };
  const lists = { tasks, deletedTasks, threads, mail, activity };
  return {
    ...{ panel, ...lists, ruleCheck, conversation: talk.conversation, justLoaded: talk.justLoaded },
    receive: (message) => handlers[message.type](message as never),
  };
}

/** What the host says of threads. */
function threadHandlers(
  threads: Signal<readonly Thread[] | null>,
): Pick<Handlers, "threads" | "threadRows" | "threadPart"> {
  const older = createOlderMessages();
  return {
    threads: (message) => {
      older.forget();
      threads.value = message.threads;
    },
    threadRows: (message) => {
      const rows = older.withOlder(threads.peek(), message.rows);
      threads.value = withRows(threads.peek(), { ...message, rows }, byLastMessage);
    },
    threadPart: (message) => {
      threads.value = threads.peek() && older.put(threads.peek() ?? [], message);
    },
  };
}

/** The conversations, and what the host says of them. */
function createTalk() {
  const conversations = new Map<string, ConversationStore>();
  let loaded = true;
  const conversation = (member: string) => {
    const known = conversations.get(member) ?? new ConversationStore();
    conversations.set(member, known);
    return known;
  };
  const handlers: Pick<Handlers, "queued" | "streaming" | "conversation"> = {
    queued: ({ member, messages }) => {
      conversation(member).queued.value = messages;
    },
    streaming: ({ member, text }) => {
      if (text !== "") loaded = false;
      conversation(member).streaming.value = text;
    },
    conversation: ({ member, reset, items, earlier }) => {
      const store = conversation(member);
      loaded = reset && store.length === 0;
      if (reset) store.clear();
      store.put(items);
      if (earlier !== undefined) store.earlier.value = earlier;
    },
  };
  const clear = () => {
    for (const store of conversations.values()) store.clear();
  };
  return { conversation, handlers, clear, justLoaded: () => loaded };
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
