import { codeArguments } from "./codeArguments.ts";
import type { CodeArguments } from "./codeFound.ts";
import { isSteeringVariable } from "./environmentNames.ts";
import { type Field, fieldText } from "./shell/fields.ts";
import type { ShellCommand } from "./shell/shellItems.ts";
import { readsAlike } from "./shellDialects.ts";
import type { Scope, ShellJudge } from "./shellJudge.ts";
import { ask, type Verdict } from "./verdict.ts";
import { type Inner, unwrap } from "./wrappers.ts";

/**
 * What is known of the commands inside a command. `verdicts`: of those that surely run. `search`: what rules say of words
 * that may be a command. `words`: how many words a rule for the outer command must name to speak of the inner one too.
 * `transparent`: nothing but the inner command decides. `hidden`: why something inside cannot be read.
 */
export interface InnerJudgement {
  verdicts: Verdict[];
  search: Verdict[];
  words: number;
  transparent: boolean;
  hidden: string | undefined;
  /** A rule that names at least so many words speaks of what is hidden. */
  named: number;
}

/** Judges the commands inside a command: behind wrappers, and in arguments that are code. */
export async function judgeInner(program: string, command: ShellCommand, judge: ShellJudge): Promise<InnerJudgement> {
  const judgement: InnerJudgement = {
    verdicts: [],
    search: [],
    words: 0,
    transparent: false,
    hidden: undefined,
    named: Number.POSITIVE_INFINITY,
  };
  await judgeWrapped(program, command, judge, judgement);
  await judgeCode(codeArguments(program, command), command, judge, judgement);
  return judgement;
}

async function judgeWrapped(
  program: string,
  command: ShellCommand,
  judge: ShellJudge,
  judgement: InnerJudgement,
): Promise<void> {
  const unwrapped = unwrap(program, command.fields);
  if (!unwrapped) return;
  judgement.transparent = unwrapped.transparent && unwrapped.known;
  if (!unwrapped.known) judgement.hidden = `Not all options of ${program} are known.`;
  const steering = unwrapped.assigned.find(isSteeringVariable);
  if (steering) judgement.hidden = `It sets ${steering}, which may change what runs.`;
  const differs = unwrapped.inner.some(
    (inner) => inner.kind === "script" && inner.certain && !readsAlike(unwrapped.shell, fieldText(inner.text) ?? ""),
  );
  if (differs) judgement.hidden = `${program} may have its text read differently.`;
  for (const inner of unwrapped.inner) {
    const scope = inner.certain ? judge.scope : "rules";
    const verdict = await judgeOne(inner, command, judge, scope);
    (inner.certain ? judgement.verdicts : judgement.search).push(verdict);
    if (inner.certain)
      judgement.words = Math.max(judgement.words, inner.kind === "words" ? inner.at + 1 : Number.POSITIVE_INFINITY);
  }
}

function judgeOne(inner: Inner, command: ShellCommand, judge: ShellJudge, scope: Scope): Promise<Verdict> {
  if (inner.kind === "words") return judgeWords(inner.fields, command, { ...judge, scope });
  const text = fieldText(inner.text) ?? (scope === "rules" ? "" : undefined);
  if (text === undefined) return Promise.resolve(ask("opaque", "What it runs is not known."));
  return judge.judgeScript(text, command.cwds, scope);
}

async function judgeCode(
  code: CodeArguments,
  command: ShellCommand,
  judge: ShellJudge,
  judgement: InnerJudgement,
): Promise<void> {
  for (const script of code.scripts)
    judgement.verdicts.push(await judge.judgeScript(script, command.cwds, judge.scope));
  for (const fields of code.commands) judgement.verdicts.push(await judgeWords(fields, command, judge));
  if (code.scripts.length > 0 || code.commands.length > 0) judgement.words = Number.POSITIVE_INFINITY;
  if (code.search) judgement.search.push(await judgeWords(code.search, command, { ...judge, scope: "rules" }));
  judgement.transparent ||= code.transparent;
  if (code.hidden !== undefined && judgement.hidden === undefined) {
    judgement.hidden = code.hidden;
    judgement.named = code.named ?? Number.POSITIVE_INFINITY;
  }
}

function judgeWords(fields: readonly Field[], command: ShellCommand, judge: ShellJudge): Promise<Verdict> {
  return judge.judgeCommand({ ...command, fields, assignments: [], isFunction: false }, judge);
}
