import type { Authorization, ToolCall } from "../../agent/types.ts";
import type { Decision as Judgement } from "../../permission/types.ts";
import { permissionRequestId } from "../../protocol/ids.ts";
import { MODE_REACH, modeWords, type PermissionMode } from "../../protocol/mode.ts";
import type { Decision, PermissionRequest, PermissionSuggestion } from "../../protocol/request.ts";
import { lastReplyText } from "../../protocol/transcript.ts";
import { SPAWN_TOOLS } from "../agentTypes.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { currentTask } from "../currentTask.ts";
import { HELD_BACK, isHeldBack } from "../lead/delegate.ts";
import { setMemberMode } from "../memberMode.ts";
import { asksTheSame } from "../resume/reopened.ts";
import { spawnMode } from "../spawnMode.ts";
import { awaitDecision } from "./awaitDecision.ts";
import { permissionRequest } from "./requestEntry.ts";
import { keptSuggestions, suggestedDirectories, suggestedMode, suggestedRules } from "./suggested.ts";

/**
 * Whether a member's call may run: the engine's decision, and where it asks, the person's. An input that the person
 * changed is judged again, so that an edit cannot pass what a rule denies.
 */
export async function authorizeCall(
  context: MemberContext,
  running: RunningMember,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Authorization> {
  if (isHeldBack(context, running, call.name)) return { allow: false, reason: HELD_BACK };
  const earlier = context.reopened.takeCall(running.member.name, call.id);
  const judgement = withSpawnMode(running, call, await judge(context, running, call));
  if (judgement.behavior !== "ask") {
    if (earlier) await context.requests.withdraw(earlier);
    return judgement.behavior === "allow" ? { allow: true } : { allow: false, reason: deniedByRule(judgement) };
  }
  const request = askedAgain(earlier, makeRequest(context, running, call, judgement));
  const told = { waitsFor: request.description, what: "this call" };
  const decision = await awaitDecision(context, running, { request, earlier }, told, signal);
  if ("undecided" in decision) return { allow: false, reason: decision.undecided };
  return settle(context, running, call, request, decision);
}

async function settle(
  context: MemberContext,
  running: RunningMember,
  call: ToolCall,
  request: PermissionRequest,
  decision: Decision,
): Promise<Authorization> {
  if (decision.kind !== "allow") return { allow: false, reason: deniedByPerson(decision) };
  if (decision.scope !== "once") {
    const mode = await rememberDecision(context, keptSuggestions(request, decision), decision.scope);
    if (mode !== undefined) await setMemberMode(context, running, mode, running.member.permission.fixed);
  }
  if (!decision.updatedInput) return { allow: true };
  const again = await judge(context, running, { ...call, input: decision.updatedInput });
  if (again.behavior === "deny") return { allow: false, reason: deniedByRule(again) };
  return { allow: true, input: decision.updatedInput };
}

/** The engine's decision; it is loaded with the first call of a process: a teammate that only waits does without it. */
async function judge(context: MemberContext, running: RunningMember, call: ToolCall): Promise<Judgement> {
  const engine = await import("./judge.ts");
  return engine.judge(context, running, call);
}

/**
 * Keeps what the person allowed for longer: for the session in memory, for good in the person's own settings. Resolves to
 * the mode that its member is to have from now on.
 */
export async function rememberDecision(
  context: MemberContext,
  suggestions: readonly PermissionSuggestion[],
  scope: "session" | "always",
): Promise<PermissionMode | undefined> {
  const allow = suggestedRules(suggestions);
  const additionalDirectories = suggestedDirectories(suggestions);
  const mode = suggestedMode(suggestions);
  if (scope === "session") {
    context.sessionRules.push(...allow);
    context.sessionDirectories.push(...additionalDirectories);
  } else {
    const defaultMode = mode === undefined ? {} : { defaultMode: mode };
    await context.options.store.settings.addPermissions({ allow, additionalDirectories, ...defaultMode });
  }
  return mode;
}

/** A teammate in a mode that allows more than the lead's own is the person's to allow, not the lead's model. */
function withSpawnMode(running: RunningMember, call: ToolCall, judgement: Judgement): Judgement {
  if (!SPAWN_TOOLS.has(call.name) || judgement.behavior !== "allow") return judgement;
  const wanted = spawnMode(call.input["mode"]);
  if (wanted === undefined || MODE_REACH[wanted] <= MODE_REACH[running.member.permission.mode]) return judgement;
  const reason = `The teammate would work in the mode ${modeWords(wanted)}, which allows more than the lead's own (${modeWords(running.member.permission.mode)}).`;
  return {
    ...judgement,
    behavior: "ask",
    rule: null,
    reason,
    guarded: wanted === "bypassPermissions",
    suggestions: [],
    parts: null,
  };
}

function makeRequest(
  context: MemberContext,
  running: RunningMember,
  call: ToolCall,
  judgement: Judgement,
): PermissionRequest {
  const { name } = running.member;
  const now = context.growing(context.options.clock.now());
  const base = {
    id: permissionRequestId(now),
    from: name,
    createdAt: now,
    task: currentTask(context, name)?.id ?? null,
    said: lastReplyText(running.transcript) || null,
  };
  return permissionRequest(base, call, judgement, context.options.cwd);
}

/** A request of before a restart keeps its id and its age. */
function askedAgain(earlier: PermissionRequest | undefined, request: PermissionRequest): PermissionRequest {
  if (!earlier || !asksTheSame(earlier, request)) return request;
  return { ...request, id: earlier.id, createdAt: earlier.createdAt };
}

/** What a member is told of a call that the engine denies. */
export function deniedByRule(judgement: Judgement): string {
  return judgement.rule
    ? `Not allowed by the rule ${judgement.rule}. ${judgement.reason}`
    : `Not allowed. ${judgement.reason}`;
}

function deniedByPerson(decision: Decision): string {
  const reason = decision.kind === "deny" ? decision.reason?.trim() : undefined;
  return reason
    ? `The person denied this call and said: ${reason}`
    : "The person denied this call and gave no reason. Do not try the same again; find another way, or say what you need.";
}
