import type { ActivityRow } from "./activity.ts";
import type {
  ConversationItem,
  Correspondence,
  DeletedTaskRow,
  PanelState,
  PlanDraft,
  QueuedMessage,
  RuleFindings,
  TaskRow,
  Thread,
  ThreadMessage,
} from "./panel.ts";

/**
 * A message that is too large for one is posted in parts, one after the other: the JSON of the whole is their texts in
 * the order of `index` (0 to `count` - 1).
 */
export interface MessagePart {
  type: "part";
  index: number;
  count: number;
  text: string;
}

/** What the extension host tells the webview. */
export type HostMessage =
  | { type: "state"; state: PanelState }
  /** In no order, in place of all that was sent before; of a long list the others follow as `taskRows`. */
  | { type: "tasks"; tasks: TaskRow[] }
  /** Tasks that are new or changed, and the ids of those that are gone. */
  | { type: "taskRows"; rows: TaskRow[]; removed: string[] }
  /** Deleted tasks by number, the newest 100; sent when they are asked for, and after the person deleted or restored one. */
  | { type: "deletedTasks"; tasks: DeletedTaskRow[] }
  /** In place of all that was sent before. */
  | { type: "threads"; threads: Thread[] }
  /** Threads that are new or changed, and the ids of those that are gone. */
  | { type: "threadRows"; rows: Thread[]; removed: string[] }
  /**
   * Messages of a thread, oldest first, that are older than those in its row: one that is known is replaced, others go
   * before all that are there. `earlier`: how many were said before the first; absent: known ones changed.
   */
  | { type: "threadPart"; thread: string; messages: ThreadMessage[]; earlier?: number }
  /** Only to the Team Board. */
  | { type: "mail"; mail: Correspondence }
  /**
   * `reset`: forget what was there; then items are put at their `seq` (one that exists is replaced). `earlier`: how many
   * there are before the first that was sent, where that has changed.
   */
  | {
      type: "conversation";
      member: string;
      reset: boolean;
      items: { seq: number; item: ConversationItem }[];
      earlier?: number;
    }
  /** Where the conversation on show holds `text`, in order of places; `total` counts every match, `matches` the first 2,000 items. */
  | { type: "found"; member: string; text: string; matches: { seq: number; count: number }[]; total: number }
  /**
   * Rows of the activity, in no order. `reset`: forget the others. `earlier`: how many there are before the oldest that
   * was sent.
   */
  | { type: "activity"; reset: boolean; rows: ActivityRow[]; earlier: number }
  /** Files for what was typed behind `@`, the best first, and a reference to what is selected in the editor. */
  | { type: "files"; typed: string; files: string[]; selection: string | null }
  /** The reply that is being written, whole (its last 4 KB); empty when it has become an item. */
  | { type: "streaming"; member: string; text: string }
  /** What the person said to the member and it has not read yet, oldest first. */
  | { type: "queued"; member: string; messages: QueuedMessage[] }
  /**
   * What was typed to plans that wait and not sent, in place of all that the view has of these plans. Once to a view that
   * is ready, then whenever the other view has changed something.
   */
  | { type: "planDrafts"; plans: { request: string; drafts: PlanDraft[] }[] }
  /** Of rules that the person writes for a request, one in a line: why they cannot be kept, or what to mind. */
  | ({ type: "ruleCheck"; request: string; text: string } & RuleFindings)
  /** What became of an intent that asked for an answer. */
  | { type: "done"; intent: string; error: string | null }
  /** The host asks the view to show something: a command did. */
  | {
      type: "reveal";
      what:
        | { kind: "request"; id: string }
        | { kind: "member"; name: string }
        | { kind: "task"; id: string }
        /** The field that finds in the conversation on show. */
        | { kind: "find" }
        /** `insert` goes to the end of the draft. */
        | { kind: "composer"; insert?: string };
    };
