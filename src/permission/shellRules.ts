import { commandAllowed, commandCovered, isExactPattern, patternProgram, programName } from "./commandPatterns.ts";
import type { Rule } from "./rules.ts";
import type { RuleSet } from "./types.ts";

/** A rule for shell commands. */
type ShellRule = Rule & { content: Extract<Rule["content"], { kind: "command" }> };

/** Rules for shell commands by the program that they name, so that thousands of them cost no more than a few. */
interface RuleIndex {
  byProgram: ReadonlyMap<string, readonly ShellRule[]>;
  others: readonly ShellRule[];
}

/** An allow rule that covers a command. `words`: how many words it names; `exact`: it has no wildcard. */
export interface Coverage {
  rule: string;
  words: number;
  exact: boolean;
}

/** What deny or ask rules say of a command: one covers it, or one might if more of it were known. */
export interface Objection {
  rule: string;
  certain: boolean;
}

/** Words of a command; undefined: not known. */
export type Words = readonly (string | undefined)[];

/** The rule of a kind that covers the words, or that might. */
export function objectionTo(words: Words, kind: "deny" | "ask", rules: RuleSet): Objection | undefined {
  const [program] = words;
  if (program === undefined) return undefined;
  const index = indexOf(rules[kind]);
  const candidates = [...(index.byProgram.get(programName(program)) ?? []), ...index.others];
  if (candidates.length === 0) return undefined;
  let perhaps: Objection | undefined;
  for (const { text, content } of candidates) {
    const covered = commandCovered(content.pattern, words);
    if (covered === "surely") return { rule: text, certain: true };
    if (covered === "perhaps") perhaps ??= { rule: text, certain: false };
  }
  return perhaps;
}

/** Whether a program, folded and without a path, may be one that rules of a kind speak of: to skip all others fast. */
export function programFilter(rules: RuleSet, kind: "deny" | "ask"): (program: string) => boolean {
  const { byProgram, others } = indexOf(rules[kind]);
  return (program) => program !== "" && (others.length > 0 || byProgram.has(program));
}

/** The allow rule that covers the words, the one that names most of them. */
export function coverageOf(words: Words, rules: RuleSet): Coverage | undefined {
  const [program] = words;
  if (program === undefined) return undefined;
  const index = indexOf(rules.allow);
  const filled = words.map((word) => word ?? "\0");
  let best: Coverage | undefined;
  for (const { text, content } of [...(index.byProgram.get(programName(program)) ?? []), ...index.others]) {
    const { pattern } = content;
    if ((best && pattern.words.length <= best.words) || !commandAllowed(pattern, filled)) continue;
    best = { rule: text, words: pattern.words.length, exact: isExactPattern(pattern) };
  }
  return best;
}

/** The allow rule whose text is the command itself, word for word. */
export function wholeTextRule(command: string, rules: RuleSet): string | undefined {
  const text = command.trim();
  return shellRules(rules.allow).find(({ content }) => content.pattern.text === text && isExactPattern(content.pattern))
    ?.text;
}

/** Programs that deny or ask rules name, folded. */
export function objectedPrograms(rules: RuleSet): ReadonlySet<string> {
  const programs = [...shellRules(rules.deny), ...shellRules(rules.ask)].map(({ content }) =>
    patternProgram(content.pattern),
  );
  return new Set(programs.filter((program) => program !== undefined));
}

const indexes = new WeakMap<readonly Rule[], RuleIndex>();

function indexOf(rules: readonly Rule[]): RuleIndex {
  const known = indexes.get(rules);
  if (known) return known;
  const byProgram = new Map<string, ShellRule[]>();
  const others: ShellRule[] = [];
  for (const rule of shellRules(rules)) {
    const program = patternProgram(rule.content.pattern);
    if (program === undefined) others.push(rule);
    else if (!byProgram.get(program)?.push(rule)) byProgram.set(program, [rule]);
  }
  const index = { byProgram, others };
  indexes.set(rules, index);
  return index;
}

/** A rule for the whole tool stands for every command. */
function shellRules(rules: readonly Rule[]): ShellRule[] {
  return rules.flatMap((rule) => {
    if (rule.tool !== "Bash") return [];
    if (rule.content.kind === "command") return [{ ...rule, content: rule.content }];
    return rule.content.kind === "any" ? [{ ...rule, content: EVERY_COMMAND }] : [];
  });
}

const EVERY_COMMAND: ShellRule["content"] = { kind: "command", pattern: { words: [], open: true, text: "*" } };
