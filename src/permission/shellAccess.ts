import type { PermissionSuggestion } from "../protocol/request.ts";
import { programName } from "./commandPatterns.ts";
import { hiddenCharacter } from "./hiddenCharacter.ts";
import { judgeCommand } from "./judgeCommand.ts";
import { judgeItem } from "./judgeShellItem.ts";
import { pathApi } from "./paths.ts";
import type { ShellItem } from "./shell/shellItems.ts";
import { walkShell } from "./shell/walkShell.ts";
import { inPlan, type ShellJudge } from "./shellJudge.ts";
import { objectionTo, programFilter, wholeTextRule } from "./shellRules.ts";
import type { Surroundings } from "./surroundings.ts";
import type { DecisionPart } from "./types.ts";
import { allow, ask, deny, type Verdict, worst } from "./verdict.ts";

/** Above these a person decides, whatever rules say; the command is judged in full all the same. */
const MAX_CHARACTERS = 10_000;
const MAX_PARTS = 50;

/** Above these a command is no longer judged in full, but still searched for what rules deny. */
const MAX_READABLE = 50_000;
const MAX_JUDGED = 1_000;
const MAX_DEPTH = 12;

/**
 * Judges a shell command part by part; the worst part decides. What is too long or too deep to be judged in full is still
 * searched for everything that rules deny.
 */
export async function judgeShellCommand(
  command: string,
  around: Surroundings,
): Promise<{ verdict: Verdict; parts: DecisionPart[] }> {
  if (command.includes("\0"))
    return { verdict: deny("The command holds a NUL character, which no command can."), parts: [] };
  if (command.length > MAX_READABLE) return { verdict: judgeByWords(command, around), parts: [] };
  const items = itemsOf(command, [around.context.cwd], around);
  const many = items.length > MAX_JUDGED;
  const judged: { item: ShellItem; verdict: Verdict }[] = [];
  for (const item of items) judged.push({ item, verdict: await judgeItem(item, judgeOf(around, many)) });
  const verdicts = judged.map(({ verdict }) => verdict);
  const unreadable = many || items.some((item) => item.type === "problem" && item.unreadable);
  const denied = unreadable ? searchText(command, around) : undefined;
  const limits = many
    ? [ask("guarded", "The command has too many parts to be judged.")]
    : limitVerdicts(command, items);
  const whole = worst([allow("It runs nothing."), ...verdicts, ...limits, ...(denied ? [denied] : [])]);
  const verdict = withSuggestions(command, lifted(command, whole, around), verdicts);
  return { verdict, parts: partsOf(judged) };
}

function judgeByWords(command: string, around: Surroundings): Verdict {
  return searchText(command, around) ?? inPlan(ask("guarded", "The command is too long to be judged."), around);
}

/** Walks a script that starts in one of the folders, with nothing known of its variables. */
function itemsOf(source: string, folders: readonly string[] | undefined, { context }: Surroundings): ShellItem[] {
  const state = { home: context.home, cwds: folders, variables: new Map(), functions: new Set<string>() };
  return walkShell(source, state, pathApi(context).resolve);
}

function judgeOf(around: Surroundings, rulesOnly: boolean, depth = 0): ShellJudge {
  return {
    around,
    scope: rulesOnly ? "rules" : "all",
    judgeCommand,
    async judgeScript(source, folders, scope) {
      if (depth >= MAX_DEPTH) return ask("opaque", "It holds code in code in code.");
      const inner = judgeOf(around, scope === "rules", depth + 1);
      const verdicts: Verdict[] = [];
      for (const item of itemsOf(source, folders, around)) verdicts.push(await judgeItem(item, inner));
      return worst([allow("It runs nothing."), ...verdicts]);
    },
  };
}

/** Rounds of a loop are one part. */
function countParts(items: readonly ShellItem[]): number {
  return new Set(items.map(({ origin }) => origin)).size;
}

function limitVerdicts(command: string, items: readonly ShellItem[]): Verdict[] {
  const verdicts: Verdict[] = [];
  const hidden = hiddenCharacter(command);
  if (hidden) verdicts.push(ask("plain", `The command holds ${hidden}, so it is not what it looks like.`));
  if (/[$<>]\\\n/.test(command)) verdicts.push(ask("opaque", "An expansion or redirection is broken over two lines."));
  if (command.length > MAX_CHARACTERS) verdicts.push(ask("plain", "The command is longer than a rule can speak for."));
  if (countParts(items) > MAX_PARTS)
    verdicts.push(ask("plain", "The command has more parts than a rule can speak for."));
  return verdicts;
}

/**
 * Where the grammar stumbles or the text is too long for it, a denied command anywhere in the text is denied all the same,
 * and so is a place where the team keeps its state.
 */
function searchText(command: string, { context }: Surroundings): Verdict | undefined {
  const place = context.outOfReach.find((path) => command.includes(path));
  if (place) return deny(`${place} belongs to the team's own state: only Muster itself reads and writes it.`);
  const mayBeDenied = programFilter(context.rules, "deny");
  const words = command.split(/[\s;&|()<>{}`"'$\\!=]+/);
  for (const [index, word] of words.entries()) {
    const program = programName(word);
    if (!mayBeDenied(program)) continue;
    const found = objectionTo([program, ...words.slice(index + 1, index + 20)], "deny", context.rules);
    if (found?.certain) return deny(`The rule ${found.rule} denies it.`, found.rule);
  }
  return undefined;
}

/** A rule with the very text of the command covers all of it, but for what no rule lifts. */
function lifted(command: string, verdict: Verdict, { context }: Surroundings): Verdict {
  if (verdict.behavior !== "ask" || context.mode === "plan" || verdict.kind === "guarded" || verdict.kind === "rule")
    return verdict;
  const rule = hiddenCharacter(command) || command.includes("\n") ? undefined : wholeTextRule(command, context.rules);
  return rule === undefined ? verdict : allow(`The rule ${rule} allows exactly this command.`, rule);
}

/** Suggestions are worth something only if together they answer every question, and a person sees what they stand for. */
function withSuggestions(command: string, verdict: Verdict, parts: readonly Verdict[]): Verdict {
  if (verdict.behavior !== "ask") return verdict;
  const asking = parts.filter((part) => part.behavior === "ask");
  const oneLine = !command.trim().includes("\n");
  const answerable = verdict.kind === "plain" || verdict.suggestions.length > 0;
  const answered = oneLine && answerable && asking.length > 0 && asking.every((part) => part.suggestions.length > 0);
  return { ...verdict, suggestions: answered ? mergeSuggestions(asking.flatMap((part) => part.suggestions)) : [] };
}

const MAX_RULES = 5;

function mergeSuggestions(all: readonly PermissionSuggestion[]): PermissionSuggestion[] {
  const rules = all.flatMap((one) => (one.type === "addRules" ? one.rules : []));
  const unique = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
  const others = all.filter(({ type }) => type !== "addRules");
  const merged: PermissionSuggestion[] = [...new Map(others.map((one) => [JSON.stringify(one), one])).values()];
  if (unique.length > MAX_RULES) return [];
  if (unique.length > 0) merged.unshift({ type: "addRules", rules: unique, behavior: "allow", destination: "session" });
  return merged;
}

function partsOf(judged: readonly { item: ShellItem; verdict: Verdict }[]): DecisionPart[] {
  const parts = judged.map(({ item, verdict: { behavior, rule, reason } }) => ({
    text: item.source,
    covered: behavior === "allow",
    behavior,
    rule,
    reason,
  }));
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()].slice(0, 2 * MAX_PARTS);
}
