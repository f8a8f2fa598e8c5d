import type { MessageKind } from "./messageBody.ts";
import { type PermissionMode, permissionModeSchema, type ShownMode } from "./mode.ts";
import type { CommandPart } from "./request.ts";
import type { TaskStatus } from "./task.ts";
import type { BackendType, Hold, MemberState } from "./team.ts";
import type { InputOrigin } from "./transcript.ts";

/**
 * Between the extension host and the webview. The host sends views of what is on disk; the webview sends intents that
 * carry ids and choices only, and the host looks everything up on its side. Times are ms since the epoch.
 */

/** The tabs of the view, in their order. */
export const PANEL_TABS = ["conversation", "tasks", "inboxes", "activity"] as const;
export type PanelTab = (typeof PANEL_TABS)[number];

/** A person, lead or teammate, as a dot and a name. `color` is null for the lead and the person. */
export interface MemberRef {
  name: string;
  displayName: string;
  color: string | null;
  role: "lead" | "teammate" | "person";
}

/** A member as its row shows it; times in ms since the epoch. */
export interface MemberRow extends MemberRef {
  state: MemberState;
  /** What stands behind the state word: the tool, the task, what it waits for, why it failed. Never empty for `waiting`. */
  detail: string;
  since: number | null;
  tokens: number;
  /** USD. Where a price is not known: the part that its own budget has counted; absent: there is none. */
  cost?: number;
  /** What it may cost for itself, in USD; absent: there is no such limit. */
  budget?: number;
  backend: BackendType | null;
  /** It waits for the person, and nothing of it runs. */
  rests?: boolean;
  /** It stands still in the middle of a run: its team is paused, or it is for itself. */
  paused?: boolean;
  /** It works and its API makes it wait: `detail` says until when, and why. */
  waitsForApi?: boolean;
  /** Null where it is not known. */
  mode: ShownMode | null;
  /** How much of it waits for the person; with any, its `state` is `waiting`, whatever else it does. */
  waiting: number;
  unread: number;
}

/** A file that these members changed, in this order. */
export interface SharedFile {
  file: string;
  members: MemberRef[];
}

/** One line of a change, without its end. */
export interface DiffLine {
  kind: "context" | "added" | "removed";
  /** 1-based line in the new file; for removed lines in the old one. */
  line: number;
  text: string;
}

/** A change of one file. `omitted`: lines that are not among `lines`. */
export interface FileDiff {
  path: string;
  lines: DiffLine[];
  added: number;
  removed: number;
  omitted: number;
}

/** What will happen. */
export type RequestPreview =
  | { type: "command"; cwd: string; text: string; parts: CommandPart[] | null }
  | ({ type: "edit" } & FileDiff)
  /** `omitted`: characters that are not in `text`; absent: none. */
  | { type: "json"; text: string; omitted?: number };

/**
 * Who told a member what it does now. `seq`: the place of the message in the member's conversation; `message`: which one
 * of a thread it is, absent where it came in no inbox.
 */
export interface Told {
  by: MemberRef;
  at: number;
  seq: number;
  message?: { thread: string; id: string };
}

interface AttentionBase {
  id: string;
  from: MemberRef;
  createdAt: number;
  task: { id: string; subject: string } | null;
  title: string;
  said: string | null;
  /** Absent: nobody did, or it is not known. */
  told?: Told;
}

/** One row of *Needs you*, oldest first. */
export type AttentionItem =
  | (AttentionBase & {
      kind: "permission";
      tool: string;
      preview: RequestPreview;
      reason: string;
      warnings: string[];
      /** Rules behind *Allow for This Session* and *Always Allow*; empty: only once. */
      rules: string[];
      /** Those of `rules` that the person may write differently; absent: none. */
      changeable?: string[];
    })
  | (AttentionBase & {
      kind: "plan";
      plan: string;
      version: number;
      afterMode: PermissionMode;
      modes: PermissionMode[];
    })
  /** A budget is used up: the team's (`member` null) or a member's. USD; `next`: what it could be raised to. */
  | (AttentionBase & { kind: "budget"; member: string | null; spent: number; limit: number; next: number })
  /** The lead rests after a message to the person. `failure`: its run failed, and `text` says why; `key` and `server`: another one may help. */
  | (AttentionBase & { kind: "answer"; text: string; failure?: LeadFailure });

/** A request for a tool call. */
export type PermissionItem = Extract<AttentionItem, { kind: "permission" }>;

/** A plan that waits for approval. */
export type PlanItem = Extract<AttentionItem, { kind: "plan" }>;

/** Why a lead's run failed, as far as it tells what may help. */
export type LeadFailure = "key" | "server" | "other";

/** What there is to say of rules that the person writes. `fault`: why they cannot be kept. */
export interface RuleFindings {
  fault: string | null;
  warnings: string[];
}

/** What the person has typed to a line of a plan (1-based), or (null) to all of it. */
export interface PlanDraft {
  line: number | null;
  text: string;
}

/** A task as its row and its details show it. */
export interface TaskRow {
  id: string;
  subject: string;
  /** Null in a long list: it comes when the task is opened (`openTask`). */
  description: string | null;
  status: TaskStatus;
  owner: MemberRef | null;
  openBlockers: string[];
  /** Every task that has to be done before it, done or not. */
  blockedBy: string[];
  /** Since when it is in progress (ms); null where it is not, or where that is not known. */
  since: number | null;
}

/** A task that was deleted and can be brought back. */
export interface DeletedTaskRow {
  id: string;
  subject: string;
}

/**
 * `read`: by its recipient. What is not read is `queued` while the recipient can take nothing (it is in the middle of
 * something, or held back), `delivered` while it can, or where its state is not known, and `dead` where it is dead or gone.
 */
export type Delivery = "queued" | "delivered" | "read" | "dead";

/** One message of a thread. */
export interface ThreadMessage {
  id: string;
  from: string;
  to: string;
  at: number;
  kind: MessageKind;
  /** What a person reads: the text itself, or for a protocol message one sentence. */
  text: string;
  summary: string | null;
  /** The protocol message as it is, indented; null for text. */
  json: string | null;
  delivery: Delivery;
  /** A part of `text` or `json` is left out: the whole can be opened (`openMessage`). */
  cut?: true;
}

/**
 * Everything that two members said to each other, oldest first. `omitted`: older ones, which come when they are asked for
 * (`showEarlierMessages`). `unsent`: of the others, so many before the newest come when the thread is asked for
 * (`openThread`).
 */
export interface Thread {
  id: string;
  a: MemberRef;
  b: MemberRef;
  unread: number;
  messages: ThreadMessage[];
  omitted: number;
  unsent?: number;
}

/** How much everybody wrote to everybody. */
export interface Correspondence {
  /** Everybody who wrote or was written to. */
  people: MemberRef[];
  /** Pairs with at least one message, by names of `people`. */
  pairs: { from: string; to: string; count: number }[];
  /** The newest texts, newest first, cut to 300 characters. */
  latest: { id: string; from: string; to: string; at: number; text: string }[];
}

/** An image that a message or a result holds: only that it is there is told. `bytes`: null where it is an address. */
export interface ImageNote {
  mediaType: string;
  bytes: number | null;
}

/** Words of the person that a member has not read yet. */
export interface QueuedMessage {
  id: string;
  at: number;
  text: string;
  images?: ImageNote[];
}

/** One piece of a conversation. */
export type ConversationItem =
  | {
      type: "input";
      at: number;
      origin: InputOrigin;
      from: MemberRef | null;
      text: string;
      /** `text` is a sentence of ours about a protocol message. */
      ours?: true;
      summary: string | null;
      images?: ImageNote[];
    }
  /** `aside`: what it thought, as far as the API tells it. */
  | { type: "text"; at: number; text: string; aside?: true }
  | {
      type: "tool";
      at: number;
      name: string;
      argument: string;
      state: "running" | "ok" | "failed";
      ms: number | null;
      /** What it gave back; of a long text the beginning and the end, and `cut` is the number of characters between. */
      detail: string;
      cut?: number;
      /** Of a call that changes a file: how. */
      diff?: FileDiff;
      images?: ImageNote[];
    }
  | { type: "note"; at: number; tone: "muted" | "error"; text: string };

/** What a finished team leaves to read. */
export interface FinishedSummary {
  result: "completed" | "incomplete" | "failed" | "interrupted";
  text: string;
  tasks: { completed: number; total: number };
  durationMs: number;
  tokens: number;
  decisions: number;
  /** `cost` in USD; absent where a price is not known. */
  byMember: { member: MemberRef; tasks: number; tokens: number; cost?: number }[];
  files: string[];
}

/** Why there is no team to show, and what can be done. */
export type EmptyReason = "no_folder" | "untrusted" | "no_key" | "no_team";

/** A request that waits no more, though nobody decided it, and what became of its member. */
export interface WithdrawnRequest {
  id: string;
  why: "interrupted" | "stopped" | "other";
}

export type PanelState =
  | { screen: "loading" }
  | { screen: "empty"; reason: EmptyReason; folder: string | null; model: string }
  | {
      screen: "team";
      /** Tells one team from another for as long as it is known: the session of its lead, else its folder. */
      team: string;
      title: string;
      goal: string | null;
      /** A sentence that says why nothing can be done here, or null. */
      readOnly: string | null;
      /** Nobody runs the team, and this window could go on with it. */
      canContinue: boolean;
      /** Files that more than one member changed, the newest first, one at least of each of them; absent: there is none. */
      shared?: SharedFile[];
      /** How many more such files there are; absent: none. */
      moreShared?: number;
      /** No request begins and no tool runs; absent: the team is not paused. */
      paused?: Hold;
      /** The demo's models are scripted, and it says so. */
      scripted: boolean;
      /** The folder that the team works in, absolute; null where it is not known. */
      folder: string | null;
      attention: AttentionItem[];
      /** The newest that were withdrawn since this window has the team; absent: none. */
      withdrawn?: WithdrawnRequest[];
      members: MemberRow[];
      tasks: { open: number; total: number };
      unread: number;
      tokens: number;
      /** USD. Where a price is not known: the part that the team's budget has counted; null: there is none. */
      cost: number | null;
      budget: number | null;
      /** What a budget does not count, one sentence; absent: it counts everything, or there is none. */
      budgetNote?: string;
      finished: FinishedSummary | null;
    };

/** A team, as it is shown. */
export type TeamScreen = Extract<PanelState, { screen: "team" }>;

/** Modes that a plan's approval can choose. */
export const AFTER_PLAN_MODES = [permissionModeSchema.enum.default, permissionModeSchema.enum.acceptEdits] as const;
