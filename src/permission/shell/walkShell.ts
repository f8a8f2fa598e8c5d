import {
  type AndOr,
  type Case,
  type CompoundCommand,
  type For,
  type Function as FunctionNode,
  type If,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  parse,
  type Statement,
} from "unbash";
import { expandWord } from "./fields.ts";
import { arithmeticIsSafe } from "./hazards.ts";
import { inspect } from "./inspect.ts";
import { havoc } from "./loopEffects.ts";
import type { ShellItem, Stdin } from "./shellItems.ts";
import { cloneState, forgetState, forgetVariable, mergeFolders, mergeState, type ShellState } from "./shellState.ts";
import { walkCommand, walkRedirects } from "./simpleCommand.ts";
import { walkTest } from "./testExpression.ts";
import { type Place, report, reportSetting, type Walker } from "./walker.ts";

const MAX_LOOP_WORDS = 16;

/** Characters of loop bodies that are walked again for each round. */
const MAX_UNROLLED = 50_000;

/**
 * Parses bash source (unbash: a typed grammar without dependencies, 100 KB in a bundle, where tree-sitter's would be
 * 1.5 MB of WebAssembly and an asynchronous start) and lists what it does in the order in which bash would run it, through
 * every list, pipe, subshell, loop, function, substitution and here-document. Conditions are not evaluated: every branch
 * counts. `join` joins a folder and a path by text; `state` ends as the shell does.
 */
export function walkShell(source: string, state: ShellState, join: Walker["join"]): ShellItem[] {
  const items: ShellItem[] = [];
  const walker: Walker = {
    items,
    join,
    unrollable: MAX_UNROLLED,
    walk: (script, place, at) => walkScript(script, place, at, walker),
  };
  walkScript(parse(source), { source, stdin: { kind: "inherited" } }, state, walker);
  return items;
}

/** Walks a parsed script; errors of the grammar are items of their own, and what could be read is walked all the same. */
function walkScript(script: ParsedScript, place: Place, state: ShellState, walker: Walker): void {
  const inside = { ...place, source: script.source ?? place.source };
  const error = script.errors?.[0];
  if (error) {
    const reason = `It cannot be read as shell text (${error.message}).`;
    const source = inside.source.slice(script.pos, script.end);
    walker.items.push({ type: "problem", source, origin: script, cwds: state.cwds, reason, unreadable: true });
  }
  walkStatements(script.commands, inside, state, walker);
}

function walkStatements(statements: readonly Statement[], place: Place, state: ShellState, walker: Walker): void {
  for (const { command, background } of statements) {
    if (background) walkList(command, place, cloneState(state), walker);
    else walkList(command, place, state, walker);
  }
}

/** A `cd` may fail, and what follows runs all the same unless `&&` joins it. */
function walkList(node: PipelineNode | AndOr, place: Place, state: ShellState, walker: Walker): void {
  if (node.type === "AndOr") {
    walkAndOr(node, place, state, walker);
    return;
  }
  const { cwds } = state;
  walkPipeline(node, place, state, walker);
  if (node.type === "Command") state.cwds = mergeFolders(state.cwds, cwds);
}

function walkAndOr({ commands, operators }: AndOr, place: Place, state: ShellState, walker: Walker): void {
  const before = cloneState(state);
  for (const [index, command] of commands.entries()) {
    const operator = operators[index - 1];
    if (operator === "||") {
      const failed = cloneState(before);
      mergeState(failed, state);
      walkPipeline(command, place, failed, walker);
      mergeState(state, failed);
      continue;
    }
    walkPipeline(command, place, state, walker);
    if (index === 0) before.variables = new Map(state.variables);
  }
  mergeState(state, before);
}

function walkPipeline(node: PipelineNode, place: Place, state: ShellState, walker: Walker): void {
  if (node.type !== "Pipeline") {
    walkNode(node, place, state, walker);
    return;
  }
  walkStages(node, place, state, walker);
}

function walkStages({ commands }: Pipeline, place: Place, state: ShellState, walker: Walker): void {
  const [only] = commands;
  if (only && commands.length === 1) {
    walkNode(only, place, state, walker);
    return;
  }
  for (const [index, command] of commands.entries()) {
    const stdin: Stdin = index === 0 ? place.stdin : { kind: "pipe" };
    walkNode(command, { ...place, stdin }, cloneState(state), walker);
  }
}

function walkNode(node: Exclude<PipelineNode, Pipeline>, place: Place, state: ShellState, walker: Walker): void {
  switch (node.type) {
    case "Command":
      walkCommand(node, place, state, walker);
      break;
    case "Redirected":
      walkCompound(
        node.command,
        { ...place, stdin: walkRedirects(node.redirects, place, state, walker) },
        state,
        walker,
      );
      break;
    case "Function":
      walkFunction(node, place, state, walker);
      break;
    case "Coproc": {
      const { name, body } = node;
      if (name) reportSetting(node, name.value, place, state, walker);
      const inside = { ...place, stdin: { kind: "pipe" as const } };
      if (body.type === "CompoundList") walkStatements(body.commands, inside, cloneState(state), walker);
      else walkNode(body, inside, cloneState(state), walker);
      break;
    }
    default:
      walkCompound(node, place, state, walker);
      break;
  }
}

function walkCompound(node: CompoundCommand, place: Place, state: ShellState, walker: Walker): void {
  switch (node.type) {
    case "Subshell":
      walkStatements(node.body.commands, place, cloneState(state), walker);
      break;
    case "BraceGroup":
      walkStatements(node.body.commands, place, state, walker);
      break;
    case "If":
      walkIf(node, place, state, walker);
      break;
    case "Case":
      walkCase(node, place, state, walker);
      break;
    case "For":
      walkFor(node, place, state, walker);
      break;
    case "Select":
    case "While":
    case "ArithmeticFor":
      walkOpenLoop(node, place, state, walker);
      break;
    case "TestCommand":
      walkTest(node.expression, place, state, walker);
      break;
    case "ArithmeticCommand":
      inspect(node, place, state, walker);
      if (!node.expression || !arithmeticIsSafe(node.expression, state))
        report(node, "It evaluates arithmetic on text that may hold code.", place, state, walker);
  }
}

function walkFunction({ name, body }: FunctionNode, place: Place, state: ShellState, walker: Walker): void {
  const inside = cloneState(state);
  forgetState(inside);
  inside.functions.add(name.value);
  if (body.type === "CompoundList") walkStatements(body.commands, place, inside, walker);
  else walkNode(body, { ...place, stdin: { kind: "pipe" } }, inside, walker);
  state.functions.add(name.value);
}

function walkIf(node: If, place: Place, state: ShellState, walker: Walker): void {
  walkStatements(node.clause.commands, place, state, walker);
  const ends: ShellState[] = [];
  const then = cloneState(state);
  walkStatements(node.then.commands, place, then, walker);
  ends.push(then);
  for (const { clause, then: body } of node.elif) {
    walkStatements(clause.commands, place, state, walker);
    const branch = cloneState(state);
    walkStatements(body.commands, place, branch, walker);
    ends.push(branch);
  }
  if (node.else) walkStatements(node.else.commands, place, state, walker);
  for (const end of ends) mergeState(state, end);
}

function walkCase(node: Case, place: Place, state: ShellState, walker: Walker): void {
  inspect(node.word, place, state, walker);
  const ends: ShellState[] = [];
  for (const { pattern, body } of node.items) {
    for (const word of pattern) inspect(word, place, state, walker, "pattern");
    const branch = cloneState(state);
    for (const end of ends) mergeState(branch, end);
    walkStatements(body.commands, place, branch, walker);
    ends.push(branch);
  }
  for (const end of ends) mergeState(state, end);
}

/** A loop over words that are all known runs once for each of them; else once, with everything it changes unknown. */
function walkFor(node: For, place: Place, state: ShellState, walker: Walker): void {
  reportSetting(node, node.name.value, place, state, walker);
  for (const word of node.wordlist ?? []) inspect(word, place, state, walker);
  const fields = node.wordlist?.flatMap((word) => expandWord(word, state));
  const before = cloneState(state);
  const cost = (fields?.length ?? 0) * (node.body.end - node.body.pos);
  if (!fields || fields.length > MAX_LOOP_WORDS || fields.some(({ many }) => many) || walker.unrollable < cost) {
    havoc(node.body, state);
    const unknown = fields?.flatMap(({ pieces }) => pieces).find(({ kind }) => kind === "any");
    state.variables.set(node.name.value, fields ? [unknown ?? { kind: "any" }] : undefined);
    walkStatements(node.body.commands, place, state, walker);
    havoc(node.body, state);
  } else {
    walker.unrollable -= cost;
    for (const { pieces } of fields) {
      state.variables.set(node.name.value, pieces);
      walkStatements(node.body.commands, place, state, walker);
    }
  }
  mergeState(state, before);
}

/** A loop whose rounds cannot be counted: whatever its body changes is unknown in it and after it. */
function walkOpenLoop(
  node: Extract<CompoundCommand, { type: "Select" | "While" | "ArithmeticFor" }>,
  place: Place,
  state: ShellState,
  walker: Walker,
): void {
  havoc(node, state);
  if (node.type === "While") walkStatements(node.clause.commands, place, state, walker);
  if (node.type === "Select") {
    reportSetting(node, node.name.value, place, state, walker);
    for (const word of node.wordlist ?? []) inspect(word, place, state, walker);
    forgetVariable(state, node.name.value, true);
  }
  if (node.type === "ArithmeticFor") {
    const steps = [node.initialize, node.test, node.update].filter((step) => step !== undefined);
    for (const step of steps) inspect(step, place, state, walker);
    if (!steps.every((step) => arithmeticIsSafe(step, state)))
      report(node, "It evaluates arithmetic on text that may hold code.", place, state, walker);
  }
  const before = cloneState(state);
  walkStatements(node.body.commands, place, state, walker);
  havoc(node, state);
  mergeState(state, before);
}
