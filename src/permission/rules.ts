import { isMusterError, MusterError } from "../base/errors.ts";
import { type CommandPattern, compileCommandPattern } from "./commandPatterns.ts";
import { compileGlob, type Glob, globMatches } from "./globs.ts";
import { compilePathPattern, type PathPattern } from "./pathRules.ts";
import { compileHostPattern, type HostPattern, hostOf } from "./webAddresses.ts";

/** Where a rule comes from. */
export type RuleSource = "session" | "user" | "workspace" | "flags";

/** What a rule says about its tool. */
export type RuleContent =
  | { kind: "any" }
  | { kind: "command"; pattern: CommandPattern }
  | { kind: "path"; pattern: PathPattern }
  | { kind: "host"; pattern: HostPattern }
  | { kind: "text"; pattern: Glob };

/** A parsed rule. `root`: the folder that `/…` patterns start from. `text`: as it was written. */
export interface Rule {
  text: string;
  tool: string;
  content: RuleContent;
  source: RuleSource;
  root: string;
}

/** Tools that a path rule of this name covers. A rule for editing covers every tool that changes files. */
const EDIT_TOOLS = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const READ_TOOLS = new Set(["Read", "Glob", "Grep", "LS", "NotebookRead"]);

const MAX_LENGTH = 4096;

/**
 * Parses `Tool` or `Tool(pattern)`. Throws `usage` with a sentence where the text is no rule.
 * `root`: the folder that a pattern beginning with a single `/` is relative to.
 */
export function parseRule(text: string, source: RuleSource, root: string): Rule {
  const key = JSON.stringify([text, source, root]);
  const known = parsedRules.get(key);
  if (known) return known;
  const rule = parsed(text, source, root);
  if (parsedRules.size >= MAX_KEPT) parsedRules.clear();
  parsedRules.set(key, rule);
  return rule;
}

/** Whether a text is a rule. */
export function isRule(text: string): boolean {
  try {
    parseRule(text, "user", "/");
    return true;
  } catch (error) {
    if (isMusterError(error, "usage")) return false;
    throw error;
  }
}

/** How a text that is no rule is written as one: `WebFetch(domain:example.org)`, with the host that it names. */
export function ruleForm(text: string): string {
  const named = /^\s*WebFetch\s*\((.*)\)\s*$/s
    .exec(text)?.[1]
    ?.trim()
    .replace(/^domain:\s*/i, "");
  if (named === undefined) return "Tool or Tool(pattern), as in Bash(npm test:*)";
  const host = hostOf(/^\w+:\/\//.test(named) ? named : `http://${named}`);
  return `WebFetch(domain:${host || "example.org"})`;
}

/** Whether the rule speaks of this tool at all. */
export function ruleNamesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === tool) return true;
  if (rule.tool === "Edit") return EDIT_TOOLS.has(tool);
  if (rule.tool === "Read") return READ_TOOLS.has(tool);
  if (rule.tool === "Task" || rule.tool === "Agent") return tool === "Task" || tool === "Agent";
  if (rule.tool.includes("*")) return globMatches(compileGlob(rule.tool), tool);
  return rule.tool.startsWith("mcp__") && tool.startsWith(`${rule.tool}__`);
}

/** Whether the tool changes a file that its input names. */
export function isEditTool(tool: string): boolean {
  return EDIT_TOOLS.has(tool);
}

/** Whether the tool only reads files. */
export function isReadTool(tool: string): boolean {
  return READ_TOOLS.has(tool);
}

/** Hosts read their rules anew for every decision; they are the same ones each time. */
const parsedRules = new Map<string, Rule>();
const MAX_KEPT = 10_000;

function parsed(text: string, source: RuleSource, root: string): Rule {
  const trimmed = text.trim();
  const match = /^([A-Za-z_][\w*-]*)(?:\((.*)\))?$/s.exec(trimmed);
  if (!match || trimmed.length > MAX_LENGTH) throw noRule(text);
  const [, tool = "", pattern] = match;
  const plain = pattern === undefined || pattern.trim() === "" || pattern.trim() === "*";
  return { text: trimmed, tool, content: plain ? { kind: "any" } : contentOf(text, tool, pattern), source, root };
}

function contentOf(text: string, tool: string, pattern: string): RuleContent {
  if (tool === "Bash") return { kind: "command", pattern: compileCommandPattern(pattern) };
  if (EDIT_TOOLS.has(tool) || READ_TOOLS.has(tool)) {
    const compiled = compilePathPattern(pattern);
    if (!compiled) throw noRule(text);
    return { kind: "path", pattern: compiled };
  }
  if (tool === "WebFetch") {
    const compiled = compileHostPattern(pattern);
    if (!compiled) throw noRule(text);
    return { kind: "host", pattern: compiled };
  }
  return { kind: "text", pattern: compileGlob(pattern) };
}

function noRule(text: string): MusterError {
  const shown = JSON.stringify([...text].slice(0, 120).join(""));
  return new MusterError("usage", `${shown} is not a permission rule. Write ${ruleForm(text)}.`);
}
