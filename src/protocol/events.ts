import type { MessageKind } from "./messageBody.ts";
import type { DecidedBy } from "./request.ts";
import type { TaskStatus, TaskView } from "./task.ts";
import type { BackendType, MemberState } from "./team.ts";
import type { Usage } from "./transcript.ts";

/** Counts of tasks by status; `blocked`: those of `pending` with an open blocker. */
export interface TaskCounts extends Record<TaskStatus, number> {
  blocked: number;
}

export type RunResult = "completed" | "incomplete" | "failed" | "interrupted";

/** What happens in a team: the events of `muster run --json`, without their time. Binding (`docs/command-line.md`). */
export type TeamEvent =
  | { type: "run_started"; session: string; cwd: string; model: string }
  | { type: "team_created"; team: string }
  | { type: "team_deleted"; team: string }
  | {
      type: "member_joined";
      member: string;
      agentType: string;
      model: string;
      backend: BackendType;
      color: string | null;
      planModeRequired: boolean;
    }
  | { type: "member_left"; member: string; reason: string }
  | { type: "member_state"; member: string; state: MemberState; reason?: string }
  | { type: "task"; task: TaskView }
  | { type: "message"; from: string; to: string; kind: MessageKind; summary?: string; msg_id: string }
  | { type: "text"; member: string; text: string }
  | { type: "tool_start"; member: string; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_end"; member: string; id: string; ok: boolean; ms: number }
  | {
      type: "request";
      id: string;
      kind: "permission" | "plan";
      from: string;
      tool?: string;
      input?: Record<string, unknown>;
      plan?: string;
    }
  | { type: "decision"; id: string; decision: "allow" | "deny" | "approve" | "reject"; by: DecidedBy; reason?: string }
  | ({ type: "usage"; member: string } & Usage)
  | {
      type: "run_finished";
      result: RunResult;
      reason?: string;
      text: string;
      tasks: TaskCounts;
      usage: Usage;
      exit: number;
    };

export type TeamEventType = TeamEvent["type"];
