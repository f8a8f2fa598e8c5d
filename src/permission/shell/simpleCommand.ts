import type { Assignment, Command, Redirect, Redirection } from "unbash";
import { applyBuiltin } from "./builtinEffects.ts";
import { expandWord, type Field, fieldText, joined, type Piece, quotedPieces, textOf, wordPieces } from "./fields.ts";
import { isNumber } from "./hazards.ts";
import { inspect } from "./inspect.ts";
import type { ShellAssignment, Stdin } from "./shellItems.ts";
import { forgetState, forgetVariables, type ShellState } from "./shellState.ts";
import { type Place, report, reportSetting, type Walker } from "./walker.ts";

/** Bash writes a substitution anew before it runs it, redirections last: such a word may become a keyword by that. */
const RESERVED = new Set(
  "! { } [[ ]] if then else elif fi case esac for select while until do done in function time coproc".split(" "),
);

/** Walks one simple command: what its words hide, its redirections, itself, and what it does to the shell. */
export function walkCommand(node: Command, place: Place, state: ShellState, walker: Walker): void {
  for (const part of [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix]) {
    if (part.type !== "Redirect" && part.type !== "HereDoc" && part.type !== "HereString")
      inspect(part, place, state, walker);
  }
  if (node.prefix.length > 0 && RESERVED.has(node.name?.text ?? ""))
    report(node, "It begins like a command and goes on like a keyword.", place, state, walker);
  const source = place.source.slice(node.pos, node.end);
  const assignments = node.prefix.flatMap((part) =>
    part.type === "Assignment" ? [assignmentOf(part, place, state, walker)] : [],
  );
  const fields = fieldsOf(node, place, state, walker);
  const stdin = walkRedirects(node.redirects, place, state, walker);
  const { cwds } = state;
  if (node.name === undefined) {
    if (assignments.length > 0)
      walker.items.push({ type: "setting", source, origin: node, cwds, assignments, exported: false });
    for (const { name, value } of assignments) state.variables.set(name, value);
    return;
  }
  const program = fieldText(fields[0]);
  const isFunction = program !== undefined && state.functions.has(program);
  walker.items.push({ type: "command", source, origin: node, cwds, fields, assignments, stdin, isFunction });
  if (program === undefined) forgetState(state);
  else applyBuiltin(fields, state, walker);
  if (isFunction) forgetVariables(state);
}

/** Walks redirections and tells what standard input is behind them. */
export function walkRedirects(
  redirects: readonly Redirection[],
  place: Place,
  state: ShellState,
  walker: Walker,
): Stdin {
  let { stdin } = place;
  for (const redirect of redirects) {
    inspect(redirect, place, state, walker);
    if (redirect.descriptor?.type === "FileDescriptorVariable")
      reportSetting(redirect, redirect.descriptor.name, place, state, walker);
    if (redirect.type === "Redirect") stdin = walkRedirect(redirect, place, state, walker) ?? stdin;
    else if (redirect.type === "HereString")
      stdin = { kind: "text", pieces: redirect.target ? wordPieces(redirect.target, state) : [] };
    else {
      const { text, parts } = redirect.body;
      const quoted = redirect.delimiter?.quoted ?? false;
      stdin = {
        kind: "text",
        pieces:
          parts && !quoted ? quotedPieces(parts, state) : [{ kind: "text", text: quoted ? text : unescaped(text) }],
      };
    }
  }
  return stdin;
}

function walkRedirect(redirect: Redirect, place: Place, state: ShellState, walker: Walker): Stdin | undefined {
  const { operator, target } = redirect;
  const source = place.source.slice(redirect.pos, redirect.end);
  const item = { source, origin: redirect, cwds: state.cwds };
  if (!target) {
    report(redirect, "It redirects to nothing.", place, state, walker);
    return undefined;
  }
  const field: Field = { pieces: wordPieces(target, state), raw: target.value, many: false };
  if (operator === ">&" || operator === "<&") {
    if (/^(?:\d+-?|-)$/.test(target.text)) return undefined;
    if (operator === "<&") {
      report(redirect, "It copies a descriptor that is not known.", place, state, walker);
      return { kind: "file" };
    }
  }
  if (operator === ">&" && /[$`<>\\]/.test(textOf(field.pieces) ?? "$"))
    report(redirect, "The shell expands the name of this file a second time.", place, state, walker);
  const reads = operator === "<" || operator === "<>";
  if (reads) walker.items.push({ ...item, type: "file", access: "read", target: field });
  if (operator !== "<") walker.items.push({ ...item, type: "file", access: "write", target: field });
  return reads ? { kind: "file" } : undefined;
}

function fieldsOf(node: Command, place: Place, state: ShellState, walker: Walker): Field[] {
  const words = [...(node.name ? [node.name] : []), ...node.args];
  return words.flatMap((word) => {
    if (word.type === "Word") return expandWord(word, state);
    const { name, value } = assignmentOf(word, place, state, walker);
    const start: Piece = {
      kind: "text",
      text: `${name}${word.index ? `[${word.index.text}]` : ""}${word.append ? "+" : ""}=`,
    };
    return [{ pieces: joined([start, ...value]), raw: word.text, many: false }];
  });
}

function assignmentOf(node: Assignment, place: Place, state: ShellState, walker: Walker): ShellAssignment {
  if (node.index && !isNumber(node.index, state))
    report(node, "It evaluates the subscript of an array.", place, state, walker);
  const known = node.value.type === "Word" && !node.index && !node.append;
  const value: readonly Piece[] =
    known && node.value.type === "Word" ? wordPieces(node.value, state) : [{ kind: "any" }];
  return { name: node.name, text: node.text, value };
}

/** A here-document whose delimiter is not quoted: a backslash keeps the next character from meaning something. */
function unescaped(text: string): string {
  return text.replace(/\\([\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char));
}
