import type { TeamEvent, TeamEventType } from "../../protocol/events.ts";
import type { TaskView } from "../../protocol/task.ts";
import { cut } from "../../team/terminal/plainText.ts";
import { cutArgument } from "../../team/views/terminalText.ts";
import { namedArgument } from "../../team/views/toolArgument.ts";
import type { Style } from "./style.ts";
import { visibleLine } from "./visibleText.ts";
import { wrapPainted, wrapProse } from "./wrapText.ts";

/** How events of a run become lines for a person: who does what. */
export interface ProgressOptions {
  style: Style;
  width(): number;
  /** A member's name as it is shown, with its colour. */
  who(member: string): string;
  /** The project folder: paths are told from it. */
  cwd: string;
  /** Whether requests are shown: not where the person is asked for each of them. */
  showRequests: boolean;
}

type EventOf<K extends TeamEventType> = Extract<TeamEvent, { type: K }>;
type Renderer = { [K in TeamEventType]: (event: EventOf<K>) => string | null };

/** A function from events to lines (without a newline at the end), or null for what a person need not see. */
export function createProgress(options: ProgressOptions): (event: TeamEvent) => string | null {
  const renderer: Renderer = { ...teamLines(options), ...workLines(options) };
  return (event) => {
    const text = (renderer[event.type] as (event: TeamEvent) => string | null)(event);
    return text === null ? null : wrapPainted(text, options.width());
  };
}

type TeamLineTypes =
  | "run_started"
  | "team_created"
  | "team_deleted"
  | "member_joined"
  | "member_left"
  | "member_state"
  | "run_finished"
  | "usage";

function teamLines({ style, who }: ProgressOptions): Pick<Renderer, TeamLineTypes> {
  return {
    run_started: (event) => style.dim(`Works in ${visibleLine(event.cwd)} with ${visibleLine(event.model)}.`),
    team_created: (event) => style.bold(`Team ${visibleLine(event.team)}`),
    team_deleted: (event) => style.dim(`Team ${visibleLine(event.team)} deleted.`),
    member_joined: (event) => {
      const plan = event.planModeRequired ? ", plans first" : "";
      return `${who(event.member)} joined ${style.dim(`(${visibleLine(event.agentType)}, ${visibleLine(event.model)}${plan})`)}`;
    },
    member_left: (event) =>
      `${who(event.member)} left${event.reason ? style.dim(`: ${visibleLine(event.reason)}`) : ""}`,
    member_state: ({ member, state, reason }) => {
      if (state === "working" && reason) return `${who(member)} ${style.dim(`waits ${visibleLine(reason)}`)}`;
      if (state !== "failed" && state !== "dead" && state !== "suspect") return null;
      return `${who(member)} ${style.bad(`${state}${reason ? `: ${visibleLine(reason)}` : ""}`)}`;
    },
    usage: () => null,
    run_finished: () => null,
  };
}

function workLines({ style, width, who, cwd, showRequests }: ProgressOptions): Omit<Renderer, TeamLineTypes> {
  const room = () => Math.max(20, Math.min(120, width() - 24));
  const short = (text: string) => cut(visibleLine(text), room());
  const argument = (tool: string, input: Record<string, unknown>) =>
    cutArgument(tool, visibleLine(namedArgument(tool, input, cwd)), room());
  const calls = new Map<string, string>();
  const asked = new Map<string, string>();
  return {
    task: ({ task }) =>
      `${style.dim("task")} #${visibleLine(task.id)} ${short(task.subject)} ${taskState(task, style, who)}`,
    message: (event) => {
      if (TOLD_OTHERWISE.has(event.kind)) return null;
      const what = event.kind === "message" ? (event.summary ?? "a message") : event.kind.replaceAll("_", " ");
      return `${who(event.from)} → ${who(event.to)}: ${short(what)}`;
    },
    text: (event) => `${who(event.member)}\n${wrapProse(event.text.trim(), width(), "  ")}`,
    tool_start: (event) => {
      const call = `${short(event.name)} ${argument(event.name, event.input)}`.trimEnd();
      calls.set(event.id, call);
      return `${who(event.member)} ${style.dim(call)}`;
    },
    tool_end: (event) => {
      const call = calls.get(event.id); // none: it was denied or interrupted before it began
      calls.delete(event.id);
      return event.ok || call === undefined ? null : `${who(event.member)} ${style.warn(`${call} failed`)}`;
    },
    request: (event) => {
      const what =
        event.kind === "plan"
          ? "a plan"
          : `${short(event.tool ?? "a tool")} ${argument(event.tool ?? "", event.input ?? {})}`.trimEnd();
      asked.set(event.id, `${who(event.from)} · ${what}`);
      return showRequests ? `${who(event.from)} asks: ${what}` : null;
    },
    decision: (event) => {
      const word = DECISION_WORDS[event.decision];
      const paint = event.decision === "allow" || event.decision === "approve" ? style.good : style.warn;
      const reason = event.reason ? style.dim(`: ${visibleLine(event.reason)}`) : "";
      return `${asked.get(event.id) ?? "request"} ${paint(word)}${reason}`;
    },
  };
}

/** Messages that say what other events have said already, or nothing that a person needs. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  "idle_notification",
  "permission_request",
  "permission_response",
  "plan_approval_request",
  "plan_approval_response",
]);

const DECISION_WORDS: Readonly<Record<EventOf<"decision">["decision"], string>> = {
  allow: "allowed",
  deny: "denied",
  approve: "approved",
  reject: "sent back",
};

function taskState(task: TaskView, style: Style, who: (member: string) => string): string {
  const owner = task.owner === null ? "" : ` (${who(task.owner)})`;
  if (task.status === "completed") return `${style.good("completed")}${owner}`;
  if (task.status === "in_progress") return `in progress${owner}`;
  const blockers = task.openBlockers.map((id) => `#${visibleLine(id)}`).join(", ");
  return style.dim(blockers ? `waits for ${blockers}` : `pending${owner}`);
}
