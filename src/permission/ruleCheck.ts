import { errorMessage, isMusterError } from "../base/errors.ts";
import type { RuleFindings } from "../protocol/panel.ts";
import { patternProgram } from "./commandPatterns.ts";
import { runsAnything } from "./commandSuggestions.ts";
import { parseRule, type Rule, ruleNamesTool } from "./rules.ts";

/**
 * Checks rules with which the person wants to allow calls like one of `tool` from now on: whether they are rules, and where
 * one allows more than it looks like, one sentence each.
 */
export function checkRules(texts: readonly string[], tool: string): RuleFindings {
  const warnings: string[] = [];
  for (const text of texts) {
    const rule = parsed(text);
    if (typeof rule === "string") return { fault: rule, warnings: [] };
    if (!ruleNamesTool(rule, tool)) return { fault: `${rule.text} says nothing about ${tool}.`, warnings: [] };
    const wide = tooWide(rule);
    if (wide !== null) warnings.push(wide);
  }
  return texts.length === 0
    ? { fault: "Write a rule, such as Bash(npm test:*).", warnings }
    : { fault: null, warnings };
}

/** Whether a path rule is about the root, the home folder, the project or any folder, and all below it. */
function isPathWide(text: string): boolean {
  return /\((?:~|\/{0,2}|\.)?\/?\*\*(?:\/\*{1,2})?\)$/.test(text.replace(/\s+/g, ""));
}

/** The rule, or why the text is none. */
function parsed(text: string): Rule | string {
  try {
    return parseRule(text, "user", "/");
  } catch (error) {
    if (!isMusterError(error)) throw error;
    return errorMessage(error);
  }
}

/** One sentence where a rule allows more than one would think of; null where it is narrow. */
function tooWide({ text, tool, content }: Rule): string | null {
  const every = `${text} allows every call of ${tool}.`;
  if (tool.includes("*")) return `${text} allows every call of many tools.`;
  switch (content.kind) {
    case "any":
      return every;
    case "host":
      return content.pattern.kind === "all" ? every : null;
    case "path":
      return isPathWide(text) ? `${text} allows every file that a whole folder tree holds.` : null;
    case "text":
      return null;
    case "command": {
      const { pattern } = content;
      const program = patternProgram(pattern);
      if (program === undefined) return `${text} allows every program that the pattern fits.`;
      const [, second] = pattern.words;
      const word = second === "**" ? undefined : second?.literal;
      const open = pattern.open || pattern.words.some((part) => part === "**" || part.literal === undefined);
      return open && runsAnything(program, word) ? `${text} allows everything that ${program} can run.` : null;
    }
  }
}
