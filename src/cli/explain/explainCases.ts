import { isMusterError, MusterError } from "../../base/errors.ts";
import { isRule, parseRule, type Rule, ruleNamesTool } from "../../permission/rules.ts";
import type { PathFs } from "../../permission/types.ts";
import { namesNoTool } from "../../team/requests/findInSettings.ts";
import type { CliContext } from "../context.ts";
import { noteIdleRules } from "../flagRules.ts";
import { usageError } from "../usageError.ts";
import { explainCase } from "./explainCase.ts";
import { type PermissionCase, parseCases } from "./permissionCase.ts";

/** More bad cases than these are only counted. */
const TOLD = 5;

/**
 * Writes a JSON line for each case of a text. One that is none does not stand in the way of the others: all that are bad are
 * told by what this throws in the end, `usage` or why the only one could not be set up. That there is none at all is noted.
 */
export async function explainCases(text: string, fs: PathFs, { io, notes }: CliContext): Promise<void> {
  const bad: MusterError[] = [];
  const idle = new Map<string, Rule>();
  const cases = parseCases(text);
  if (cases.length === 0) notes.add("No case was given, so nothing is explained.");
  for (const [index, given] of cases.entries()) {
    if (given.kind === "fault") {
      bad.push(usageError(given.sentence));
      continue;
    }
    for (const rule of idleRules(given.case)) idle.set(rule.text, rule);
    try {
      const { behavior: decision, rule, reason } = await explainCase(given.case, fs);
      io.stdout.write(`${JSON.stringify({ id: given.case.id, decision, rule, reason })}\n`);
    } catch (error) {
      if (!isMusterError(error)) throw error;
      bad.push(new MusterError(error.reason, `Case ${index + 1}: ${error.message}`, { cause: error }));
    }
  }
  const [first, ...others] = bad;
  if (first === undefined) return noteIdleRules([...idle.values()], notes); // what is refused is told in one line
  if (others.length === 0) throw first;
  const more = bad.length > TOLD ? [`${bad.length - TOLD} more cannot be explained.`] : [];
  throw usageError([...bad.slice(0, TOLD).map(({ message }) => message), ...more].join(" "));
}

/** Rules of a tool that nobody has, and that the case does not call either. */
function idleRules({ rules, fixture, tool }: PermissionCase): Rule[] {
  const { allow = [], ask = [], deny = [] } = fixture?.repoSettings?.permissions ?? {};
  return [...rules.allow, ...rules.ask, ...rules.deny, ...allow, ...ask, ...deny]
    .filter(isRule)
    .map((text) => parseRule(text, "session", "/"))
    .filter((rule) => namesNoTool(rule) && !ruleNamesTool(rule, tool));
}
