import { parseRule, type Rule } from "../permission/rules.ts";
import { namesNoTool } from "../team/requests/findInSettings.ts";
import type { CliContext } from "./context.ts";

/**
 * Reads the rules of `--allowedTools` and `--disallowedTools`; `cwd`: what their paths are relative to. Throws `usage` where
 * one is none. One whose tool nobody has, as `bash`, is no fault, since other programs' rules may be given as they are; that
 * it matches nothing is noted.
 */
export function checkFlagRules(rules: readonly string[], cwd: string, { notes }: Pick<CliContext, "notes">): void {
  const parsed = rules.map((rule) => parseRule(rule, "flags", cwd));
  noteIdleRules(parsed.filter(namesNoTool), notes);
}

/** Notes rules of tools that nobody has: they match nothing. */
export function noteIdleRules(idle: readonly Pick<Rule, "text">[], notes: CliContext["notes"]): void {
  if (idle.length === 0) return;
  notes.add(`No tool here has this name, so the rule matches nothing: ${idle.map(({ text }) => text).join(", ")}.`);
}
