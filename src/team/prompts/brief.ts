import type { TaskView } from "../../protocol/task.ts";
import { openBlockersText, taskViews } from "../../protocol/taskGraph.ts";
import { displayNameOf, isLead, type Member as MemberEntry } from "../../protocol/team.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { HELD_BACK } from "../lead/delegate.ts";

const MAX_TASKS = 40;

/**
 * What a member has to know of its team right now, rebuilt from the files for every request so that compaction cannot
 * lose it. It is sent, never kept.
 */
export async function teamBrief(context: MemberContext, running: RunningMember): Promise<string> {
  const { member } = running;
  const parts = [planPart(running), ...(context.delegates && isLead(member) ? [HELD_BACK] : [])];
  if (context.team) {
    const snapshot = await context.team.watch.refresh();
    parts.unshift(
      teamPart(context, snapshot),
      taskPart(snapshot, member.name),
      ...(isLead(member) ? [requestPart(context)] : []),
    );
  }
  const text = parts.filter((part) => part !== "").join("\n");
  return text === "" ? "" : `<team-state>\n${text}\n</team-state>`;
}

function teamPart(context: MemberContext, snapshot: TeamSnapshot): string {
  const members = snapshot.config.members.map((entry) => `- ${memberLine(context, entry)}`);
  return [`Team: ${snapshot.config.name}`, "Members:", ...members].join("\n");
}

function memberLine(context: MemberContext, entry: MemberEntry): string {
  const name = displayNameOf(entry) === entry.name ? entry.name : `${entry.name} (${displayNameOf(entry)})`;
  const state = context.stateOf(entry.name);
  return `${name}, ${entry.agentType ?? "agent"}, ${state}`;
}

function taskPart(snapshot: TeamSnapshot, name: string): string {
  const tasks = taskViews(snapshot.graph);
  if (tasks.length === 0) return "Tasks: none yet";
  const open = tasks.filter((task) => task.status !== "completed");
  const done = tasks.length - open.length;
  const shown = [...open].sort((a, b) => Number(b.owner === name) - Number(a.owner === name)).slice(0, MAX_TASKS);
  const omitted = open.length - shown.length;
  return [
    `Tasks: ${open.length} open, ${done} completed`,
    ...shown.map((task) => `- ${taskLine(task, snapshot, name)}`),
    ...(omitted > 0 ? [`- and ${omitted} more: TaskList`] : []),
  ].join("\n");
}

function taskLine(task: TaskView, snapshot: TeamSnapshot, name: string): string {
  const owner = task.owner === null ? "no owner" : task.owner === name ? "yours" : task.owner;
  const blockers = openBlockersText(task.id, snapshot.graph);
  const blocked = blockers === "" ? "" : `, blocked by ${blockers}`;
  return `#${task.id} [${task.status}] ${task.subject} (${owner}${blocked})`;
}

function requestPart(context: MemberContext): string {
  const { pending } = context.requests;
  if (pending.length === 0) return "";
  return [
    "Waiting for the person's decision:",
    ...pending.map((request) => `- ${request.from}: ${describe(request)}`),
  ].join("\n");
}

function describe(request: MemberContext["requests"]["pending"][number]): string {
  return request.kind === "plan" ? "a plan" : request.description;
}

function planPart(running: RunningMember): string {
  if (running.member.permission.mode !== "plan") return "";
  return [
    "You are in plan mode: read, think, change nothing.",
    `Your plan file: ${running.planFile ?? "not made yet"}`,
    "When the plan is written, call ExitPlanMode.",
  ].join("\n");
}
