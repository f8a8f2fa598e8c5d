import type { MemberRef } from "./panel.ts";
import type { BackendType } from "./team.ts";

/** What rows of the activity are about; each can be shown alone. */
export const ACTIVITY_KINDS = ["task", "message", "decision", "state"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** How a request was decided. */
export type DecidedHow = "once" | "session" | "always" | "deny" | "approve" | "reject";

/** One thing that happened; who did it and to whom stands in its row. Texts are bounded, and somebody else's words. */
export type ActivityEvent =
  | {
      what: "created" | "gave" | "started" | "finished" | "reopened" | "released" | "removed";
      task: string;
      subject: string;
    }
  /** `ours`: the text is a sentence of ours about what was sent. */
  | { what: "wrote"; text: string; ours?: true }
  | { what: "asked"; request: "command" | "edit" | "plan" | "tool"; title: string; task: string | null }
  /** `by`: a rule or a policy of the person, who then is not named. */
  | { what: "decided"; how: DecidedHow; by: "person" | "policy" | "rule"; title: string; reason: string | null }
  | { what: "withdrew"; title: string; plan?: true }
  | { what: "joined"; backend: BackendType | null }
  | { what: "idle" | "interrupted" | "stops" }
  | { what: "paused" | "resumed" }
  | { what: "failed" | "asksStop" | "refusesStop"; reason: string | null }
  | { what: "left"; how: "stopped" | "failed" | "ended"; reason: string | null }
  | { what: "mode"; mode: string };

/** `id` is the row's own for good. Rows are told by time, then by id. `who`: null where nobody is known to have done it. */
export interface ActivityRow {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  kind: ActivityKind;
  who: MemberRef | null;
  to: MemberRef[];
  event: ActivityEvent;
}

/** Which rows are wanted: those that a member did or that were done to it, and those of one kind; null: all. */
export interface ActivityFilter {
  member: string | null;
  kind: ActivityKind | null;
}
