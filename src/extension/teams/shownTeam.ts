import type { Disposable } from "../../base/disposable.ts";
import type { Event } from "../../base/emitter.ts";
import type { Entry } from "../../protocol/message.ts";
import type {
  Correspondence,
  QueuedMessage,
  TaskRow,
  TeamScreen,
  Thread,
  ThreadMessage,
} from "../../protocol/panel.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import type { TeamSession } from "../../team/types.ts";
import type { ActivityFact } from "../../team/views/activity/facts.ts";
import type { Conversation, ConversationUpdate } from "../../team/views/conversation.ts";

import type { People } from "../../team/views/people.ts";
import type { EditTexts } from "../../team/views/previews.ts";
import type { ThreadPart, WholeMessage } from "../../team/views/threads.ts";

/** The webview *Team*. */
export const TEAM_VIEW = "muster.team";

/** The Team Board, a webview in the editor area. */
export const BOARD_VIEW = "muster.board";

/** Where the window's state keeps which team is on show. */
export const SHOWN_KEY = "muster.shown";

/** What the window shows: a team that it runs, one that it only reads, or a finished one. */
export interface ShownTeam extends Disposable {
  /** What to look for after a reload of the window; null where there is nothing to find. */
  readonly address: TeamAddress | null;
  /** The session behind a team that this window runs. */
  readonly session: TeamSession | null;
  /** State, tasks or threads may have changed. */
  readonly onDidChange: Event<void>;
  readonly onConversation: Event<{ member: string; updates: ConversationUpdate[] }>;
  /** The reply that a member is writing, whole; empty when it is over. */
  readonly onStreaming: Event<{ member: string; text: string }>;
  state(): TeamScreen;
  tasks(): TaskRow[];
  threads(): Thread[];
  /** As the methods of `Threads`, of the threads that were made last. */
  earlierMessages(thread: string, before: string): ThreadPart | null;
  messages(thread: string, ids: ReadonlySet<string>): ThreadMessage[];
  wholeMessage(thread: string, message: string): WholeMessage | null;
  /** Everything that this recipient got, whole, oldest first. */
  received(name: string): readonly Entry[];
  /** Who wrote to whom. */
  mail(): Correspondence;
  /** What the member's transcript holds, growing in place; the events tell what is new. */
  conversation(member: string): Promise<Conversation>;
  streaming(member: string): string;
  /** What the person said to the member and it has not read yet, as far as this window can answer for it. */
  queued(member: string): QueuedMessage[];
  /** The whole output of the call at this place of a conversation; null where there is none. */
  output(member: string, seq: number): Promise<string | null>;
  /** How the call at this place of a conversation changes its file, whole; null where it changes none, or is not known. */
  fileChange(member: string, seq: number): EditTexts | null;
  /** What happened in it, newest first. */
  activity(): Promise<readonly ActivityFact[]>;
  /** Everybody who is or was in it. */
  readonly people: People;
  requests(): readonly PendingRequest[];
}

/**
 * Where a team is on disk: its folder under `teams`, or under `muster/history`. `lead`: a lead that has no team yet;
 * `folder` is its session.
 */
export interface TeamAddress {
  root: string;
  kind: "team" | "finished" | "lead";
  folder: string;
}

/** Whether both are the same team. */
export function isSameTeam(one: TeamAddress | null, other: TeamAddress): boolean {
  return one?.root === other.root && one.kind === other.kind && one.folder === other.folder;
}
