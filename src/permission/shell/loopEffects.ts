import { type Assignment, forEachChild, type SyntaxNode } from "unbash";
import { isPlainName } from "./hazards.ts";
import { forgetVariable, forgetVariables, type ShellState } from "./shellState.ts";

const MOVES = new Set(["cd", "pushd", "popd", "eval", "source", ".", "builtin", "command"]);
const ASSIGNS = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "printf",
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "let",
  "unset",
  "wait",
]);

const MAX_LENGTH = 4_000;

/** Makes everything unknown that some code may change, wherever in the code: for loops that run any number of times. */
export function havoc(node: SyntaxNode, state: ShellState): void {
  if (node.end - node.pos > MAX_LENGTH) forgetVariables(state);
  else forgetChanges(node, state);
}

function forgetChanges(node: SyntaxNode, state: ShellState): void {
  if (node.type === "Assignment") forgetAssigned(node, state);
  if (node.type === "For" || node.type === "Select") forgetVariable(state, node.name.value, false);
  if (node.type === "ArithmeticWord" && isPlainName(node.value)) forgetUnlessNumber(node.value, state);
  if (node.type === "ParameterExpansion" && node.operation?.type === "Default")
    forgetVariable(state, node.parameter, true);
  if (node.type === "Command") {
    const name = node.name?.value ?? "";
    if (MOVES.has(name) || state.functions.has(name)) state.cwds = undefined;
    if (ASSIGNS.has(name))
      for (const arg of node.args)
        if (arg.type === "Word" && isPlainName(arg.value)) forgetVariable(state, arg.value, true);
    if (name === "eval" || name === "source" || name === "." || state.functions.has(name))
      for (const variable of state.variables.keys()) forgetVariable(state, variable, false);
  }
  forEachChild(node, (child) => forgetChanges(child, state));
}

/** A counter stays a number if it is one and is only ever given numbers. */
function forgetAssigned({ name, value, index }: Assignment, state: ShellState): void {
  const number =
    value.type === "Word" &&
    !index &&
    (/^\d+$/.test(value.text) || value.parts?.every(({ type }) => type === "ArithmeticExpansion") === true);
  if (number) forgetUnlessNumber(name, state);
  else forgetVariable(state, name, false);
}

function forgetUnlessNumber(name: string, state: ShellState): void {
  const known = state.variables.get(name);
  const number = known?.every(
    (piece) => piece.kind === "number" || (piece.kind === "text" && /^\d+$/.test(piece.text)),
  );
  if (number && known?.length) state.variables.set(name, [{ kind: "number" }]);
  else forgetVariable(state, name, true);
}
