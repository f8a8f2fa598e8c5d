import type { Entry } from "../../protocol/message.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import {
  AFTER_PLAN_MODES,
  type AttentionItem,
  type MemberRow,
  type PanelState,
  type RequestPreview,
  type SharedFile,
  type TaskRow,
} from "../../protocol/panel.ts";
import type { PendingRequest } from "../../protocol/request.ts";
import { isInternalTask, type Task, taskMuster } from "../../protocol/task.ts";
import { openBlockers, type TaskGraph, taskViews } from "../../protocol/taskGraph.ts";
import type { Hold } from "../../protocol/team.ts";
import { suggestedChanges } from "../suggested.ts";
import type { UsedBudget } from "../types.ts";
import { type MemberFacts, memberRow } from "./memberRows.ts";
import { planTitle } from "./messageText.ts";
import type { People } from "./people.ts";
import { previewOf, requestTitle, requestWarnings } from "./previews.ts";
import { unreadOf } from "./threads.ts";

/** Everything that a panel's state is made of. */
export interface PanelFacts extends Pick<TeamScreen, AsItIs> {
  graph: TaskGraph;
  /** Recipient → entries. */
  inboxes: ReadonlyMap<string, readonly Entry[]>;
  people: People;
  /** The lead first, then in order of joining. */
  members: readonly MemberFacts[];
  /** Oldest first. */
  requests: readonly PendingRequest[];
  /** Id of a request → what it will do, where the file of an edit has been read. */
  previews: ReadonlyMap<string, RequestPreview>;
  /** Of the team, in USD; absent or null: none. */
  budget?: number | null;
  /** Budgets that are used up. */
  usedBudgets?: readonly UsedBudget[];
  /** What holds the whole team. */
  paused: Hold | null;
  /** Files that more than one member changed, the newest first. */
  shared?: readonly SharedFile[];
  /** What the lead said before it came to rest, and since when it waits; null while it does not wait for the person. */
  answer: { text: string; since: number; failed?: true } | null;
}

type TeamScreen = Extract<PanelState, { screen: "team" }>;
/** What the panel is told as it is known. */
type AsItIs =
  | "team"
  | "title"
  | "goal"
  | "readOnly"
  | "canContinue"
  | "scripted"
  | "folder"
  | "tokens"
  | "cost"
  | "finished";

/** The panel's state of a team. */
export function panelState(facts: PanelFacts): TeamScreen {
  const { team, title, goal, readOnly, canContinue, scripted, folder, tokens, cost, finished } = facts;
  const tasks = taskViews(facts.graph);
  return {
    screen: "team",
    ...{ team, title, goal, readOnly, canContinue, scripted, folder, tokens, cost, finished },
    attention: attentionOf(facts),
    members: facts.members.map((member) => rowOf(member, facts)),
    tasks: { open: tasks.filter(({ status }) => status !== "completed").length, total: tasks.length },
    unread: [...facts.inboxes.values()].reduce((sum, entries) => sum + unreadOf(entries), 0),
    budget: facts.budget ?? null,
    ...(facts.paused ? { paused: facts.paused } : {}),
    ...(facts.shared && facts.shared.length > 0 ? { shared: facts.shared.slice(0, MOST_SHARED) } : {}),
  };
}

/** Of more files that members share, the panel gets the newest. */
const MOST_SHARED = 20;

/** What stands in the tab *Tasks*, in order of numbers. Descriptions are cut to 2,000 characters. */
export function taskRows(graph: TaskGraph, people: People): TaskRow[] {
  return taskViews(graph).map(({ id, subject, description, status, owner, openBlockers: open, blockedBy }) => ({
    id,
    subject,
    description: description.length <= 2_000 ? description : `${description.slice(0, 2_000)}…`,
    status,
    owner: owner === null ? null : people(owner),
    openBlockers: open,
    blockedBy,
    since: status === "in_progress" ? startOf(graph.tasks.get(id)) : null,
  }));
}

function startOf(task: Task | undefined): number | null {
  return (task && taskMuster(task).claim?.at) ?? null;
}

function rowOf(member: MemberFacts, facts: PanelFacts): MemberRow {
  const waiting = facts.requests.filter((request) => request.from === member.name);
  return memberRow(member, {
    ref: facts.people(member.name),
    requests: waiting.map(titleOf),
    waitsForAnswer: facts.answer !== null && member.name === LEAD_NAME,
    task: taskLine(member.name, facts.graph),
    unread: unreadOf(facts.inboxes.get(member.name) ?? []),
  });
}

/** The task in progress, else the own one that waits for others. */
function taskLine(owner: string, graph: TaskGraph): string | null {
  const own = [...graph.tasks.values()].filter((task) => task.owner === owner && !isInternalTask(task));
  const active = own.find((task) => task.status === "in_progress");
  if (active) return `#${active.id} ${active.subject}`;
  const next = own.find((task) => task.status === "pending");
  const open = next ? openBlockers(next.id, graph) : [];
  return next && open.length > 0 ? `#${next.id} after ${open.map((id) => `#${id}`).join(", ")}` : null;
}

function attentionOf(facts: PanelFacts): AttentionItem[] {
  const items = facts.requests.map((request) => requestItem(request, facts));
  items.push(...(facts.usedBudgets ?? []).map((budget) => budgetItem(budget, facts)));
  if (facts.answer) items.push(answerItem(facts.answer, facts));
  return items.sort((one, other) => one.createdAt - other.createdAt);
}

function requestItem(request: PendingRequest, facts: PanelFacts): AttentionItem {
  const { id, createdAt, said } = request;
  const task = request.task === null ? undefined : facts.graph.tasks.get(request.task);
  const base = {
    ...{ id, createdAt, said, from: facts.people(request.from), title: titleOf(request) },
    task: task ? { id: task.id, subject: task.subject } : null,
  };
  if (request.kind === "plan") {
    const { planContent: plan, version, afterMode } = request;
    const modes = [...AFTER_PLAN_MODES].sort((one, other) => Number(other === afterMode) - Number(one === afterMode));
    return { ...base, kind: "plan", plan, version, afterMode, modes };
  }
  return {
    ...base,
    kind: "permission",
    tool: request.tool,
    preview: facts.previews.get(id) ?? previewOf(request, null),
    reason: request.reason,
    warnings: requestWarnings(request),
    rules: suggestedChanges(request.suggestions),
  };
}

function answerItem({ text, since, failed }: NonNullable<PanelFacts["answer"]>, facts: PanelFacts): AttentionItem {
  const from = facts.people(LEAD_NAME);
  const title = failed ? `${from.displayName} could not go on` : `${from.displayName} waits for you`;
  const base = { id: `answer-${since}`, from, createdAt: since, task: null, title, said: null };
  return { ...base, kind: "answer", text, ...(failed ? { failed } : {}) };
}

function budgetItem({ member, spent, limit, since }: UsedBudget, facts: PanelFacts): AttentionItem {
  const next = Math.max(2 * limit, Math.ceil(spent + limit / 2));
  const base = { createdAt: since, task: null, title: "Raise the budget", said: null };
  const from = facts.people(member ?? LEAD_NAME);
  return { ...base, kind: "budget", id: `budget-${member ?? ""}-${limit}`, from, member, spent, limit, next };
}

function titleOf(request: PendingRequest): string {
  return request.kind === "plan" ? `Plan: ${planTitle(request.planContent)}` : requestTitle(request);
}
