import { forEachChild, type SyntaxNode } from "unbash";
import { arithmeticIsSafe, parameterHazard } from "./hazards.ts";
import { cloneState, type ShellState } from "./shellState.ts";
import { type Place, report, type Walker } from "./walker.ts";

/**
 * Walks what hides inside words: substitutions at any depth, in arithmetic, subscripts, defaults and here-documents, and
 * expansions that run the text of a variable. `pattern`: the word is a pattern of `case` or `[[`, not a file name.
 */
export function inspect(
  node: SyntaxNode,
  place: Place,
  state: ShellState,
  walker: Walker,
  role: "word" | "pattern" = "word",
): void {
  const reason = hazardOf(node, state, role);
  if (reason) report(node, reason, place, state, walker);
  if (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  ) {
    if (node.script) walker.walk(node.script, { ...place, stdin: { kind: "inherited" } }, cloneState(state));
    return;
  }
  forEachChild(node, (child) => inspect(child, place, state, walker, role));
}

function hazardOf(node: SyntaxNode, state: ShellState, role: "word" | "pattern"): string | undefined {
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      return node.script ? undefined : "It holds a substitution that cannot be read.";
    case "ParameterExpansion":
      return parameterHazard(node, state);
    case "ArithmeticExpansion":
      return arithmeticIsSafe(node.expression, state)
        ? undefined
        : "It evaluates arithmetic on text that may hold code.";
    case "ExtendedGlob":
      return role === "word" ? "It uses an extended pattern of file names." : undefined;
    default:
      return undefined;
  }
}
