import { LEAD_NAME } from "../../protocol/names.ts";
import {
  AFTER_PLAN_MODES,
  type AttentionItem,
  type LeadFailure,
  type MemberRow,
  type RequestPreview,
  type SharedFile,
  type TeamScreen,
  type Told,
  type WithdrawnRequest,
} from "../../protocol/panel.ts";
import type { PendingRequest, PermissionRequest } from "../../protocol/request.ts";
import type { TaskGraph } from "../../protocol/taskGraph.ts";
import type { Hold } from "../../protocol/team.ts";
import { suggestedChanges, suggestedRules } from "../requests/suggested.ts";
import type { UsedBudget } from "../types.ts";
import { idleWait, type TaskOverview, taskLine, taskOverview } from "./idleWait.ts";
import type { MailByRecipient } from "./mail.ts";
import { type MemberFacts, memberRow } from "./memberRows.ts";
import { planTitle } from "./messageText.ts";
import type { People } from "./people.ts";
import { previewOf, requestTitle, requestWarnings, sharedEditWarnings } from "./previews.ts";

/** Everything that a panel's state is made of. */
export interface PanelFacts extends Pick<TeamScreen, AsItIs> {
  graph: TaskGraph;
  mail: MailByRecipient;
  people: People;
  /** The lead first, then in order of joining. */
  members: readonly MemberFacts[];
  /** Oldest first. */
  requests: readonly PendingRequest[];
  /** Id of a request → what it will do, where the file of an edit has been read. */
  previews: ReadonlyMap<string, RequestPreview>;
  /** Members that changed the file which a request of another one would change, in order of their first change. */
  othersOf?(request: PermissionRequest): readonly string[];
  /** Absent: none. */
  withdrawn?: readonly WithdrawnRequest[];
  /** Who told a member what it does now; null where that is not known. */
  told?(member: string): Told | null;
  /** Of the team, in USD; absent or null: none. */
  budget?: number | null;
  /** As `budgetNote`; absent or null: a budget counts everything, or there is none. */
  budgetNote?: string | null;
  /** Budgets that are used up. */
  usedBudgets?: readonly UsedBudget[];
  /** What holds the whole team. */
  paused: Hold | null;
  /** Files that more than one member changed, the newest first. */
  shared?: readonly SharedFile[];
  /** What the lead said before it came to rest, and since when it waits; null while it does not wait for the person. */
  answer: { text: string; since: number; failure?: LeadFailure } | null;
}

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
  const tasks = taskOverview(facts.graph);
  return {
    screen: "team",
    ...{ team, title, goal, readOnly, canContinue, scripted, folder, tokens, cost, finished },
    attention: attentionOf(facts),
    ...(facts.withdrawn && facts.withdrawn.length > 0 ? { withdrawn: [...facts.withdrawn] } : {}),
    members: facts.members.map((member) => rowOf(member, tasks, facts)),
    tasks: { open: tasks.open, total: tasks.total },
    unread: [...facts.mail.values()].reduce((sum, { unread }) => sum + unread, 0),
    budget: facts.budget ?? null,
    ...(facts.budgetNote ? { budgetNote: facts.budgetNote } : {}),
    ...(facts.paused ? { paused: facts.paused } : {}),
    ...sharedOf(facts.shared ?? []),
  };
}

/** Of more files that members share, the panel gets the newest, and of a member that has none of these its newest. */
const MOST_SHARED = 20;

function sharedOf(files: readonly SharedFile[]): Pick<TeamScreen, "shared" | "moreShared"> {
  const known = new Set<string>();
  const shared = files.filter(({ members }, at) => {
    const isNew = members.some(({ name }) => !known.has(name));
    if (at < MOST_SHARED || isNew) for (const { name } of members) known.add(name);
    return at < MOST_SHARED || isNew;
  });
  const moreShared = files.length - shared.length;
  return { ...(shared.length > 0 ? { shared } : {}), ...(moreShared > 0 ? { moreShared } : {}) };
}

function rowOf(member: MemberFacts, tasks: TaskOverview, facts: PanelFacts): MemberRow {
  const waiting = facts.requests.filter((request) => request.from === member.name);
  return memberRow(member, {
    ref: facts.people(member.name),
    requests: waiting.map(titleOf),
    awaited:
      facts.answer === null || member.name !== LEAD_NAME ? null : facts.answer.failure ? "another try" : "an answer",
    task: taskLine(member.name, tasks),
    idleWait: member.name === LEAD_NAME ? null : idleWait(member.name, tasks),
    unread: facts.mail.get(member.name)?.unread ?? 0,
  });
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
  const told = facts.told?.(request.from);
  const base = {
    ...{ id, createdAt, said, from: facts.people(request.from), title: titleOf(request) },
    task: task ? { id: task.id, subject: task.subject } : null,
    ...(told ? { told } : {}),
  };
  if (request.kind === "plan") {
    const { planContent: plan, version, afterMode } = request;
    const modes = [...AFTER_PLAN_MODES].sort((one, other) => Number(other === afterMode) - Number(one === afterMode));
    return { ...base, kind: "plan", plan, version, afterMode, modes };
  }
  const changeable = suggestedRules(request.suggestions);
  const others = facts.othersOf?.(request) ?? [];
  return {
    ...base,
    kind: "permission",
    tool: request.tool,
    preview: facts.previews.get(id) ?? previewOf(request, null),
    reason: request.reason,
    warnings: [
      ...requestWarnings(request),
      ...sharedEditWarnings(others.map((name) => facts.people(name).displayName)),
    ],
    rules: suggestedChanges(request.suggestions),
    ...(changeable.length > 0 ? { changeable } : {}),
  };
}

function answerItem({ text, since, failure }: NonNullable<PanelFacts["answer"]>, facts: PanelFacts): AttentionItem {
  const from = facts.people(LEAD_NAME);
  const title = failure ? `${from.displayName} could not go on` : `${from.displayName} waits for you`;
  const base = { id: `answer-${since}`, from, createdAt: since, task: null, title, said: null };
  return { ...base, kind: "answer", text, ...(failure ? { failure } : {}) };
}

function budgetItem({ member, spent, limit, since }: UsedBudget, facts: PanelFacts): AttentionItem {
  const next = Math.max(2 * limit, Math.ceil(spent + limit / 2));
  const title = member === null ? "Raise the team's budget" : "Raise the budget";
  const base = { createdAt: since, task: null, title, said: null };
  const from = facts.people(member ?? LEAD_NAME);
  return { ...base, kind: "budget", id: `budget-${member ?? ""}-${limit}`, from, member, spent, limit, next };
}

function titleOf(request: PendingRequest): string {
  return request.kind === "plan" ? `Plan: ${planTitle(request.planContent)}` : requestTitle(request);
}
