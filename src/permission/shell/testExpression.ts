import type { TestExpression, Word } from "unbash";
import { wordPieces } from "./fields.ts";
import { isNumber, isPlainName } from "./hazards.ts";
import { inspect } from "./inspect.ts";
import type { ShellState } from "./shellState.ts";
import { type Place, report, type Walker } from "./walker.ts";

const LOOKS_AT_FILE = /^-[abcdefghkprsuwxGLNOS]$/;
const COMPARES_FILES = new Set(["-nt", "-ot", "-ef"]);
const COMPARES_NUMBERS = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** Walks `[[ … ]]`: it looks at files, and evaluates what it compares as numbers or as names of variables. */
export function walkTest(test: TestExpression, place: Place, state: ShellState, walker: Walker): void {
  switch (test.type) {
    case "TestLogical":
      for (const operand of test.operands) walkTest(operand, place, state, walker);
      return;
    case "TestNot":
      walkTest(test.operand, place, state, walker);
      break;
    case "TestGroup":
      walkTest(test.expression, place, state, walker);
      break;
    case "TestUnary":
      inspect(test.operand, place, state, walker, "pattern");
      if (LOOKS_AT_FILE.test(test.operator)) lookAt(test.operand, place, state, walker);
      if (test.operator === "-v" || test.operator === "-R") requireName(test.operand, place, state, walker);
      return;
    case "TestBinary": {
      const operands = [test.left, test.right];
      for (const operand of operands) inspect(operand, place, state, walker, "pattern");
      if (COMPARES_FILES.has(test.operator)) for (const operand of operands) lookAt(operand, place, state, walker);
      if (COMPARES_NUMBERS.has(test.operator) && !operands.every((operand) => isNumber(operand, state)))
        report(test, "It evaluates arithmetic on text that may hold code.", place, state, walker);
    }
  }
}

function lookAt(operand: Word, { source }: Place, state: ShellState, walker: Walker): void {
  walker.items.push({
    type: "file",
    access: "read",
    source: source.slice(operand.pos, operand.end),
    origin: operand,
    cwds: state.cwds,
    target: { pieces: wordPieces(operand, state), raw: operand.value, many: false },
  });
}

function requireName(operand: Word, place: Place, state: ShellState, walker: Walker): void {
  if (!isPlainName(operand.text)) report(operand, "It evaluates the name of a variable.", place, state, walker);
}
