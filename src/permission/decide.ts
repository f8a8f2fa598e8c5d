import { judgeFetch } from "./fetchAccess.ts";
import { judgeAccesses } from "./fileAccess.ts";
import { globMatches } from "./globs.ts";
import { refusedMemberName } from "./memberNames.ts";
import { isEditTool, isReadTool, type Rule, ruleNamesTool } from "./rules.ts";
import { judgeShellCommand } from "./shellAccess.ts";
import { type Surroundings, surroundingsOf } from "./surroundings.ts";
import { fileAccessesOf } from "./toolInputs.ts";
import type { Decision, DecisionContext, DecisionPart, PermissionCall } from "./types.ts";
import { allow, ask, deny, type Verdict, worst } from "./verdict.ts";

/**
 * Decides a tool call: deny rules first, then plan mode, ask rules, allow rules, and last the mode. It decides, and
 * changes nothing; what it cannot understand it asks about. Rejects only when `signal` aborts.
 */
export async function decide(call: PermissionCall, context: DecisionContext, signal?: AbortSignal): Promise<Decision> {
  signal?.throwIfAborted();
  const around = await surroundingsOf(context, signal);
  const byTool = judgeTool(call, context);
  if (byTool?.behavior === "deny") return finish(byTool, null, context);
  const { verdict, parts } = await judgeInput(call, around, byTool);
  return finish(verdict, parts, context);
}

interface Judged {
  verdict: Verdict;
  parts: DecisionPart[] | null;
}

/** What rules without a pattern say of the tool; a deny or ask of theirs holds whatever the input is. */
function judgeTool({ tool, input }: PermissionCall, { rules }: DecisionContext): Verdict | undefined {
  const speaks = (rule: Rule): boolean => ruleNamesTool(rule, tool) && wholeTool(rule, input);
  const denied = rules.deny.find(speaks);
  if (denied) return deny(`The rule ${denied.text} denies this tool.`, denied.text);
  const asked = rules.ask.find(speaks);
  if (asked) return ask("rule", `The rule ${asked.text} asks before this tool runs.`, { rule: asked.text });
  const allowed = rules.allow.find((rule) => ruleNamesTool(rule, tool) && rule.content.kind === "any");
  return allowed && allow(`The rule ${allowed.text} allows this tool.`, allowed.text);
}

/** A rule for a tool that the engine knows nothing of matches when any text of the input does. */
function wholeTool({ content }: Rule, input: Record<string, unknown>): boolean {
  if (content.kind === "any") return true;
  if (content.kind !== "text") return false;
  return Object.values(input).some((value) => typeof value === "string" && globMatches(content.pattern, value));
}

async function judgeInput(call: PermissionCall, around: Surroundings, byTool: Verdict | undefined): Promise<Judged> {
  const { tool, input } = call;
  if (tool === "Bash") {
    const { command } = input;
    if (typeof command !== "string") return { verdict: deny("The call holds no command."), parts: null };
    const { verdict, parts } = await judgeShellCommand(command, around);
    return { verdict: withAsk(byTool, verdict), parts };
  }
  const verdict = await judgePlainTool(call, around, byTool);
  return { verdict: withAsk(byTool, verdict), parts: null };
}

async function judgePlainTool(call: PermissionCall, around: Surroundings, byTool?: Verdict): Promise<Verdict> {
  const { tool, input } = call;
  const { context } = around;
  if (isReadTool(tool) || isEditTool(tool)) {
    const accesses = fileAccessesOf(call, context);
    return typeof accesses === "string" ? ask("guarded", accesses) : judgeAccesses(accesses, around);
  }
  if (tool === "WebFetch") return judgeFetch(input, context);
  const spawns = context.spawnTools.has(tool);
  const refused = spawns ? refusedName(input["name"]) : undefined;
  if (refused) return deny(refused);
  const harmless = context.teamTools.has(tool);
  if (context.mode === "plan" && (spawns || !harmless))
    return deny(`In plan mode ${tool} does not run: leave plan mode first.`);
  if (harmless) return allow("It changes nothing outside the team.");
  if (byTool?.behavior === "allow") return byTool;
  const rules = [{ toolName: tool }];
  const suggestions = [
    { type: "addRules" as const, rules, behavior: "allow" as const, destination: "session" as const },
  ];
  return ask("plain", `No rule allows ${tool}.`, { suggestions });
}

/** An ask rule for the whole tool holds beside whatever the input is judged to be. */
function withAsk(byTool: Verdict | undefined, verdict: Verdict): Verdict {
  return byTool?.behavior === "ask" ? worst([verdict, byTool]) : verdict;
}

function refusedName(name: unknown): string | undefined {
  return name === undefined ? undefined : refusedMemberName(typeof name === "string" ? name : "");
}

/** The mode's say: it may turn a question into an answer, never a denial into anything else. */
function finish(verdict: Verdict, parts: DecisionPart[] | null, context: DecisionContext): Decision {
  const { rule, reason } = verdict;
  const answer = { rule, reason, suggestions: [], parts, guarded: false };
  if (verdict.behavior !== "ask") return { ...answer, behavior: verdict.behavior };
  if (context.mode === "dontAsk") return { ...answer, behavior: "deny", reason: `${reason} This mode does not ask.` };
  if (context.mode === "bypassPermissions" && bypassed(verdict, context))
    return { ...answer, behavior: "allow", reason: `${reason} The mode allows it all the same.` };
  return {
    ...answer,
    behavior: "ask",
    suggestions: verdict.suggestions,
    guarded: verdict.kind !== "rule" && !bypassed(verdict, context),
  };
}

/** Where rules deny or ask about commands, a text that hides what it runs may hide one of these. */
function bypassed(verdict: Extract<Verdict, { behavior: "ask" }>, { rules }: DecisionContext): boolean {
  if (verdict.kind === "plain") return true;
  return verdict.kind === "opaque" && ![...rules.deny, ...rules.ask].some(({ tool }) => tool === "Bash");
}
