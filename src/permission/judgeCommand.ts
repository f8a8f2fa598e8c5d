import { judgeGuards } from "./commandGuards.ts";
import { programName } from "./commandPatterns.ts";
import { commandSuggestions } from "./commandSuggestions.ts";
import { isInertVariable, isSteeringVariable } from "./environmentNames.ts";
import { fieldAccesses } from "./fieldAccess.ts";
import { judgeAccesses } from "./fileAccess.ts";
import { fileUse } from "./fileCommands.ts";
import { type InnerJudgement, judgeInner } from "./innerCommands.ts";
import { type ReadOnlyUse, readOnlyUse, shownSecret } from "./readOnly/readOnlyUse.ts";
import { type Field, fieldText } from "./shell/fields.ts";
import type { ShellCommand } from "./shell/shellItems.ts";
import { inPlan, type ShellJudge } from "./shellJudge.ts";
import { type Coverage, coverageOf, objectionTo, type Words } from "./shellRules.ts";
import type { Surroundings } from "./surroundings.ts";
import { allow, ask, deny, type Verdict, worst } from "./verdict.ts";

/**
 * Judges one simple command: what rules deny or ask about, in it and in every command inside it; what no allow rule
 * lifts; allow rules; the list of read-only commands; and the mode for edits.
 */
export async function judgeCommand(command: ShellCommand, judge: ShellJudge): Promise<Verdict> {
  const { around, scope } = judge;
  const word = fieldText(command.fields[0]);
  if (word === undefined) return judgeUnknown(command, judge);
  const program = programName(word);
  const objection = judgeObjections(command, around);
  const inner = await judgeInner(program, command, judge);
  const holding = [objection, ...inner.search, ...inner.verdicts].filter(holds);
  const denied = holding.find(({ behavior }) => behavior === "deny");
  if (denied) return denied;
  const neutral = allow("Nothing speaks against it.");
  if (scope === "rules") return worst([neutral, ...holding]);
  if (command.isFunction) return worst([allow("It calls a function that is judged where it stands."), ...holding]);
  const use = isInert(command) ? readOnlyUse(command) : undefined;
  const coverage = coverageIn(command, around);
  const guards = await judgeGuards(program, command, use, coverage, around);
  const steering = command.assignments.find(({ name }) => isSteeringVariable(name))?.name;
  const steered =
    steering && !coverage && !isInert(command) ? `It sets ${steering}, which may change what runs.` : undefined;
  const spoken = coverage !== undefined && (coverage.exact || coverage.words >= inner.named);
  const hidden = [spoken ? undefined : inner.hidden, steered].flatMap((why) => (why ? [ask("opaque", why)] : []));
  const firm = worst([neutral, ...holding, ...guards, ...hidden]);
  if (firm.behavior === "deny") return firm;
  const allowance = await judgeAllowance(program, command, { inner, use, coverage }, around);
  return worst([use ? firm : inPlan(firm, around), allowance]);
}

/** A verdict that no allow rule for the outer command lifts. */
function holds(verdict: Verdict): boolean {
  return verdict.behavior === "deny" || (verdict.behavior === "ask" && verdict.kind !== "plain");
}

function judgeUnknown({ source, fields }: ShellCommand, { around, scope }: ShellJudge): Verdict {
  if (scope === "rules") return allow("Nothing is known of it.");
  return inPlan(ask("opaque", `Which program runs is not known: ${fields[0]?.raw ?? source}.`), around);
}

/** Deny and ask rules see through every variable before the command. */
function judgeObjections(command: ShellCommand, { context }: Surroundings): Verdict {
  const words = command.fields.map(fieldText);
  const withVariables = [...command.assignments.map(({ text }) => text), ...words];
  for (const form of command.assignments.length > 0 ? [words, withVariables] : [words]) {
    const denied = objectionTo(form, "deny", context.rules);
    if (denied?.certain) return deny(`The rule ${denied.rule} denies it.`, denied.rule);
    const asked = objectionTo(form, "ask", context.rules);
    if (asked?.certain) return ask("rule", `The rule ${asked.rule} asks.`, { rule: asked.rule });
    if (denied) return ask("opaque", `The rule ${denied.rule} may deny it: not all of it is known.`);
    if (asked) return ask("rule", `The rule ${asked.rule} may ask about it.`, { rule: asked.rule });
  }
  return allow("No rule speaks against it.");
}

/** In plan mode no rule allows anything. A variable that is not inert must stand in the rule itself. */
function coverageIn(command: ShellCommand, { context }: Surroundings): Coverage | undefined {
  if (context.mode === "plan") return undefined;
  const words: Words = command.fields.map(ruleText);
  if (isInert(command)) return coverageOf(words, context.rules);
  const spelled = coverageOf([...command.assignments.map(({ text }) => text), ...words], context.rules);
  return spelled && spelled.words > command.assignments.length ? spelled : undefined;
}

/** Whether the variables before the command change nothing about it. */
function isInert({ assignments, fields }: ShellCommand): boolean {
  return assignments.every(({ name }) => isInertVariable(name, fieldText(fields[0])));
}

/** A word as rules see it: wildcards of the shell as they are written. */
function ruleText({ pieces, many }: Field): string | undefined {
  if (many) return undefined;
  const texts = pieces.map((piece) =>
    piece.kind === "text" ? piece.text : piece.kind === "wild" ? piece.pattern : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join("");
}

interface Grounds {
  inner: InnerJudgement;
  use: ReadOnlyUse | undefined;
  coverage: Coverage | undefined;
}

/** The first ground on which the command may run, or the question that is left. */
async function judgeAllowance(
  program: string,
  command: ShellCommand,
  { inner, use, coverage }: Grounds,
  around: Surroundings,
): Promise<Verdict> {
  const asking = inner.verdicts.find(({ behavior }) => behavior !== "allow");
  if (coverage && (!asking || coverage.exact || coverage.words >= inner.words))
    return allow(`The rule ${coverage.rule} allows it.`, coverage.rule);
  const [first] = inner.verdicts;
  const inert = isInert(command);
  if (inner.transparent && inert && first) return asking ?? first;
  if (use) return judgeReads(use, command, around);
  if (coverage && asking) return asking;
  const edits = inert && around.context.mode === "acceptEdits" ? await judgeEdits(program, command, around) : undefined;
  if (edits) return edits;
  const suggestions = inert ? commandSuggestions(command.source, command.fields) : [];
  const secret = shownSecret(command);
  const reason = secret ? `It may show the variable ${secret}, and no rule covers it` : "No rule covers it";
  return inPlan(ask("plain", `${reason}: ${shortened(command.source)}.`, { suggestions }), around);
}

/** What a read-only command reads must lie inside the project, like everything that is read without a rule. */
async function judgeReads(use: ReadOnlyUse, command: ShellCommand, around: Surroundings): Promise<Verdict> {
  const accesses = use.reads.map(({ field, recursive }) => fieldAccesses(field, "read", command.cwds, recursive));
  if (accesses.includes(undefined)) return ask("plain", `What it reads is not known: ${shortened(command.source)}.`);
  const verdict = await judgeAccesses(
    accesses.flatMap((some) => some ?? []),
    around,
  );
  return verdict.behavior === "allow" ? { ...verdict, reason: "It only reads, and inside the project." } : verdict;
}

/** The mode for edits covers what a program for files does inside the project, if all of it is known. */
async function judgeEdits(program: string, command: ShellCommand, around: Surroundings): Promise<Verdict | undefined> {
  const use = fileUse(program, command.fields);
  if (!use?.edits || programIsPath(command)) return undefined;
  const whole = use.whole ? { hidden: true } : undefined;
  const reads = use.reads.map((field) => fieldAccesses(field, "read", command.cwds, whole));
  const writes = use.writes.map((field) => fieldAccesses(field, "write", command.cwds, whole));
  const all = [...reads, ...writes];
  if (all.includes(undefined) || writes.length === 0) return undefined;
  return judgeAccesses(
    all.flatMap((some) => some ?? []),
    around,
  );
}

/** A program given by its path may be anything, whatever its name. */
function programIsPath({ fields }: ShellCommand): boolean {
  return fieldText(fields[0])?.includes("/") ?? true;
}

function shortened(source: string): string {
  const line = source.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
