import * as z from "zod";
import { errorMessage, isMusterError, MusterError, unreachable } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { type Intent, intentSchema, type PANEL_COMMANDS } from "../../protocol/intents.ts";
import { AFTER_PLAN_MODES, type PlanDraft, type RuleFindings } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import {
  type Decision,
  type PendingRequest,
  type PermissionRequest,
  type PlanRequest,
  rulesIn,
} from "../../protocol/request.ts";
import { suggestedChanges, suggestedRules } from "../../team/requests/suggested.ts";
import type { TeamSession } from "../../team/types.ts";
import { runningSession } from "../teams/runningSession.ts";
import type { BoardPorts } from "./boardPorts.ts";
import type { ComposerPorts } from "./composerPorts.ts";
import type { ConversationPorts } from "./conversationPorts.ts";
import type { PanelView } from "./panelFeed.ts";
import { sentImages } from "./sentImages.ts";
import { TASK_HANDLERS } from "./taskIntents.ts";

/** A command of the window that the webview may ask for. */
export type PanelCommand = (typeof PANEL_COMMANDS)[number];

/** What the webview's intents reach. */
export interface IntentPorts {
  /** The session of the team on show, if this window runs it. */
  session(): TeamSession | null;
  /** The webview's view of things, null before it is ready. */
  view(): PanelView | null;
  /** The webview's document begins, and has nothing yet. */
  begin(view: PanelView): void;
  /** The webview shows something else. */
  setView(view: PanelView): void;
  startTeam(goal: string): Promise<void>;
  openTerminal(member: string): Promise<void>;
  openRequest(request: PendingRequest): Promise<void>;
  /** A plan beside the one that its member sent before. */
  comparePlan(request: PlanRequest): Promise<void>;
  /** A plan on the Team Board. */
  showPlan(request: PlanRequest): Promise<void>;
  /** Keeps what was typed to one of the plans that wait, and tells the other view. */
  draftToPlan(request: PlanRequest, draft: PlanDraft, waiting: readonly string[]): void;
  /** Tells this view what was typed to plans. */
  tellPlanDrafts(): void;
  stopMember(member: string): Promise<void>;
  raiseBudget(member: string | null, to: number | null): Promise<void>;
  changeMode(member: string): Promise<void>;
  runCommand(command: PanelCommand): Promise<void>;
  readonly conversation: ConversationPorts;
  readonly composer: ComposerPorts;
  /** What only the Team Board can ask for; null: this is the view *Team*. */
  readonly board: BoardPorts | null;
  post(message: HostMessage): void;
  /** Says, without taking the focus, why what a click asked for was not done. */
  tell(sentence: string): void;
  log: Logger;
}

/**
 * Takes a message of the webview. What does not parse is logged and does nothing. It and a failure are answered where the
 * intent asked for an answer; other failures are told in one sentence.
 */
export async function handleIntent(message: unknown, ports: IntentPorts): Promise<void> {
  const parsed = intentSchema.safeParse(message);
  if (!parsed.success) {
    ports.log.warn("A message of the view was not understood.", parsed.error.message);
    const asked = askedSchema.safeParse(message); // who waits for an answer gets one, and nothing typed is lost
    if (asked.success) ports.post({ type: "done", intent: asked.data.intent, error: notTaken().message });
    return;
  }
  const intent = parsed.data;
  const answer = (error: string | null) => {
    if ("intent" in intent) ports.post({ type: "done", intent: intent.intent, error });
    else if (error !== null) ports.tell(error);
  };
  try {
    await (HANDLERS[intent.type] as (intent: Intent, ports: IntentPorts) => Promise<void>)(intent, ports);
    answer(null);
  } catch (error) {
    const sentence = errorMessage(error);
    if (!isMusterError(error)) ports.log.error(`${intent.type} failed.`, error);
    else if ("intent" in intent) ports.log.info(`${intent.type} was not done: ${sentence}`); // what is told is logged there
    answer(sentence);
  }
}

const askedSchema = z.object({ intent: z.string().max(64) });

function notTaken(): MusterError {
  return new MusterError("usage", "Nothing was done: a text of this is too long, or empty. Shorten it and try again.");
}

/**
 * Decides a request of the session in the person's name. Throws `already_resolved` where nothing waits under this id,
 * and `not_allowed` for a choice that the request does not offer.
 */
export async function decideRequest(session: TeamSession | null, id: string, decision: Decision): Promise<void> {
  const request = session?.requests.pending.find((pending) => pending.id === id);
  if (!session || !request) throw gone();
  if (!offers(request, decision)) throw new MusterError("not_allowed", "This request does not offer that choice.");
  if (decision.kind === "allow" && decision.rules) {
    const { fault } = await findingsOf(request, decision.rules);
    if (fault !== null) throw new MusterError("usage", fault);
  }
  const result = await session.requests.decide(id, wholeInput(request, decision), "person");
  switch (result) {
    case "decided":
      return;
    case "gone":
      throw gone();
    case "mismatch":
      throw new MusterError("not_allowed", "This request does not offer that choice.");
    default:
      unreachable(result);
  }
}

/**
 * What there is to say of rules that the person wrote for a request of the session. Throws `already_resolved` where nothing
 * waits under this id, and `not_allowed` where it is no tool call.
 */
export async function checkRulesFor(
  session: TeamSession | null,
  id: string,
  rules: readonly string[],
): Promise<RuleFindings> {
  const request = session?.requests.pending.find((pending) => pending.id === id);
  if (!request) throw gone();
  return findingsOf(request, rules);
}

/** Sends the person's words to a member, with images in base64. Throws `not_allowed` where this window does not run the team. */
export async function sayTo(
  session: TeamSession | null,
  to: string,
  text: string,
  images: readonly string[] = [],
): Promise<void> {
  if (text.trim() === "" && images.length === 0) throw new MusterError("not_allowed", "There is nothing to send.");
  await runningSession(session).say(to, text, sentImages(images));
}

/** One handler for each intent. */
export type IntentHandlers = {
  [K in Intent["type"]]: (intent: Extract<Intent, { type: K }>, ports: IntentPorts) => Promise<void>;
};

const HANDLERS: IntentHandlers = {
  ready: async ({ tab, member }, ports) => {
    ports.begin({ tab, member });
    ports.tellPlanDrafts();
  },
  showTab: async ({ tab }, ports) => ports.setView({ member: ports.view()?.member ?? null, tab }),
  selectMember: async ({ member }, ports) => ports.setView({ tab: ports.view()?.tab ?? "conversation", member }),
  decide: ({ request, decision }, ports) => decideRequest(ports.session(), request, decision),
  send: ({ to, text, images }, ports) => sayTo(ports.session(), to, text, images),
  findFiles: async ({ typed }, ports) =>
    ports.post({ type: "files", typed, ...(await ports.composer.findFiles(typed)) }),
  startTeam: ({ goal }, ports) => ports.startTeam(goal),
  openTerminal: ({ member }, ports) => ports.openTerminal(member),
  showScreen: ({ member }, ports) => ports.conversation.showScreen(member),
  interrupt: async ({ member }, ports) => runningSession(ports.session()).interrupt(member),
  raiseBudget: ({ member, to }, ports) => ports.raiseBudget(member, to),
  stopMember: ({ member }, ports) => ports.stopMember(member),
  changeMode: ({ member }, ports) => ports.changeMode(member),
  openPlan: ({ request }, ports) => openRequest(request, ports),
  comparePlan: async ({ request }, ports) => ports.comparePlan(waitingPlan(request, ports)),
  showPlan: async ({ request }, ports) => ports.showPlan(waitingPlan(request, ports)),
  draftToPlan: async ({ request, line, text }, ports) => {
    const pending = ports.session()?.requests.pending ?? [];
    const plan = pending.find(({ id }) => id === request);
    if (plan?.kind !== "plan") return; // decided in the meantime
    ports.draftToPlan(
      plan,
      { line, text },
      pending.map(({ id }) => id),
    );
  },
  openDiff: ({ request }, ports) => openRequest(request, ports),
  checkRule: async ({ request, text }, ports) => {
    const findings = await checkRulesFor(ports.session(), request, rulesIn(text));
    ports.post({ type: "ruleCheck", request, text, ...findings });
  },
  command: ({ command }, ports) => ports.runCommand(command),
  showEarlier: async ({ before, from, member }, ports) => ports.conversation.showEarlier(before, from, member),
  openThread: async ({ thread }, ports) => ports.conversation.openThread(thread),
  showEarlierMessages: async ({ thread, before }, ports) => ports.conversation.showEarlierMessages(thread, before),
  openMessage: ({ thread, message }, ports) => ports.conversation.openMessage(thread, message),
  openChange: ({ seq, member }, ports) => ports.conversation.openChange(seq, member),
  openTask: async ({ task }, ports) => ports.conversation.openTask(task),
  find: async ({ text }, ports) => ports.conversation.find(text),
  filterActivity: async ({ member, kind }, ports) => ports.conversation.showActivity({ member, kind }),
  moreActivity: async (_intent, ports) => ports.conversation.showActivity(null),
  openOutput: ({ seq, member }, ports) => ports.conversation.openOutput(seq, member),
  showColumns: async ({ members }, ports) => ports.board?.showColumns(members),
  showInTeam: async ({ what }, ports) => ports.board?.showInTeam(what),
  openFile: ({ path, line }, ports) => ports.conversation.openFile(path, line),
  ...TASK_HANDLERS,
};

async function openRequest(id: string, ports: IntentPorts): Promise<void> {
  await ports.openRequest(waiting(id, ports));
}

function waitingPlan(id: string, ports: IntentPorts): PlanRequest {
  const request = waiting(id, ports);
  if (request.kind !== "plan") throw new MusterError("not_allowed", "Only plans have versions.");
  return request;
}

function waiting(id: string, ports: IntentPorts): PendingRequest {
  const request = ports.session()?.requests.pending.find((pending) => pending.id === id);
  if (!request) throw gone();
  return request;
}

/** The view names only what the person changed of a tool's input. */
function wholeInput(request: PendingRequest, decision: Decision): Decision {
  if (decision.kind !== "allow" || !decision.updatedInput || request.kind !== "permission") return decision;
  return { ...decision, updatedInput: { ...request.input, ...decision.updatedInput } };
}

function offers(request: PendingRequest, decision: Decision): boolean {
  switch (decision.kind) {
    case "allow":
      return request.kind === "permission" && offersScope(request, decision);
    case "deny":
      return request.kind === "permission";
    case "approve":
      return request.kind === "plan" && AFTER_PLAN_MODES.some((mode) => mode === decision.mode);
    case "reject":
      return request.kind === "plan";
  }
}

/** A rule that is kept has to stand in the place of one that the request shows; a changed input is allowed once. */
function offersScope(
  request: PermissionRequest,
  { scope, updatedInput, rules }: Extract<Decision, { kind: "allow" }>,
): boolean {
  if (rules && (scope === "once" || suggestedRules(request.suggestions).length === 0)) return false;
  if (scope === "once") return true;
  return updatedInput === undefined && suggestedChanges(request.suggestions).length > 0;
}

/** What there is to say of rules that the person wrote for a request. The rules' parser comes with the first of them. */
async function findingsOf(request: PendingRequest, rules: readonly string[]): Promise<RuleFindings> {
  if (request.kind !== "permission") throw new MusterError("not_allowed", "Only tool calls have rules.");
  const { checkRules } = await import("../../permission/ruleCheck.ts");
  return checkRules(rules, request.tool);
}

function gone(): MusterError {
  return new MusterError("already_resolved", "This request does not wait any more: it was decided or withdrawn.");
}
