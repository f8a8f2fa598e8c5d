import type { ArithmeticExpression, ParameterExpansionPart, Word } from "unbash";
import { isOwnVariable } from "../environmentNames.ts";
import { textOf, wordPieces } from "./fields.ts";
import { forgetVariable, type ShellState } from "./shellState.ts";
import { settingReason } from "./walker.ts";

/**
 * Expansions in which bash runs text that it finds in a variable: arithmetic evaluates the subscripts in it, `@P` expands
 * it as a prompt, `!` takes it for a name. A grammar cannot see that text.
 */

const NUMBER = /^(?:\d+|0[xX][\da-fA-F]+|\d+#[\w@]+)$/;
const NAME = /^[A-Za-z_]\w*$/;

/** Why a parameter expansion may run code, or undefined. Variables that it assigns become unknown. */
export function parameterHazard(part: ParameterExpansionPart, state: ShellState): string | undefined {
  const { operation, index, prefix, parameter } = part;
  if (prefix === "!" && operation?.type !== "Names" && !isWholeArray(index))
    return "It expands a variable whose name stands in another.";
  if (operation && /'[^']*[$`]/.test(part.text)) return "It holds quotes in an expansion, which may not quote there.";
  if (index && !isWholeArray(index) && !isNumber(index, state)) return "It evaluates the subscript of an array.";
  switch (operation?.type) {
    case "Transform":
      return /P/.test(operation.operand.text)
        ? "It expands the text of a variable as a prompt, which runs code in it."
        : undefined;
    case "Slice":
      return isNumber(operation.offset, state) && (!operation.length || isNumber(operation.length, state))
        ? undefined
        : "It evaluates the bounds of a slice.";
    case "Unknown":
      return "It uses an expansion that is not known.";
    case "Default":
      if (!operation.operator.endsWith("=")) return undefined;
      forgetVariable(state, parameter, false);
      return isOwnVariable(parameter, false) ? undefined : settingReason(parameter);
    default:
      return undefined;
  }
}

/** Whether an arithmetic expression works on numbers only. Variables that it assigns hold numbers afterwards. */
export function arithmeticIsSafe(expression: ArithmeticExpression | undefined, state: ShellState): boolean {
  if (!expression) return true;
  switch (expression.type) {
    case "ArithmeticGroup":
      return arithmeticIsSafe(expression.expression, state);
    case "ArithmeticTernary":
      return [expression.test, expression.consequent, expression.alternate].every((part) =>
        arithmeticIsSafe(part, state),
      );
    case "ArithmeticUnary": {
      const safe = arithmeticIsSafe(expression.operand, state);
      return safe && (!/\+\+|--/.test(expression.operator) || assign(expression.operand, state));
    }
    case "ArithmeticBinary": {
      const plainAssignment = expression.operator === "=" && isName(expression.left);
      const safe =
        (plainAssignment || arithmeticIsSafe(expression.left, state)) && arithmeticIsSafe(expression.right, state);
      return safe && (!/^(?:[-+*/%&|^]|<<|>>)?=$/.test(expression.operator) || assign(expression.left, state));
    }
    case "ArithmeticWord":
      return operandIsNumber(expression, state);
    case "ArithmeticCommandExpansion":
      return false;
  }
}

/** Whether a text may stand where bash takes a variable's name: without a subscript, which it would evaluate. */
export function isPlainName(text: string | undefined): boolean {
  return text !== undefined && NAME.test(text);
}

/** Whether a word is a number after expansion. */
export function isNumber(word: Word, state: ShellState): boolean {
  const pieces = wordPieces(word, state);
  if (pieces.every(({ kind }) => kind === "number")) return true;
  const text = textOf(pieces)?.trim();
  return text !== undefined && /^-?\d+$/.test(text);
}

function isWholeArray(index: Word | undefined): boolean {
  return index?.text === "@" || index?.text === "*";
}

function isName(expression: ArithmeticExpression): boolean {
  return expression.type === "ArithmeticWord" && !expression.parts && NAME.test(expression.value);
}

function operandIsNumber(
  { value, parts }: Extract<ArithmeticExpression, { type: "ArithmeticWord" }>,
  state: ShellState,
): boolean {
  if (parts)
    return parts.every((part) => {
      if (part.type === "Literal") return /^\d*$/.test(part.value);
      if (part.type === "SimpleExpansion") return variableIsNumber(part.text.slice(1), state);
      if (part.type === "ParameterExpansion")
        return (
          part.prefix === "#" ||
          (!part.operation && !part.index && !part.prefix && variableIsNumber(part.parameter, state))
        );
      return part.type === "ArithmeticExpansion" && arithmeticIsSafe(part.expression, state);
    });
  return NUMBER.test(value) || (NAME.test(value) && variableIsNumber(value, state));
}

function variableIsNumber(name: string, state: ShellState): boolean {
  const known = state.variables.get(name);
  if (known)
    return (
      known.length > 0 &&
      known.every((piece) => piece.kind === "number" || (piece.kind === "text" && /^-?\d+$/.test(piece.text)))
    );
  return !state.variables.has(name) && /^(?:[?#$!]|RANDOM|SECONDS|LINENO|UID|EUID|PPID)$/.test(name);
}

/** Whether the variable that is assigned is the script's own. */
function assign(target: ArithmeticExpression, state: ShellState): boolean {
  if (target.type !== "ArithmeticWord" || !NAME.test(target.value)) return true;
  state.variables.set(target.value, [{ kind: "number" }]);
  return isOwnVariable(target.value, false);
}
