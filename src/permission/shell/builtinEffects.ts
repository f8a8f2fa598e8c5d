import { type Field, fieldText, textOf } from "./fields.ts";
import { isPlainName } from "./hazards.ts";
import { forgetState, forgetVariable, mergeFolders, type ShellState } from "./shellState.ts";
import type { Walker } from "./walker.ts";

const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly"]);
const SETS_NAMES = new Set(["read", "mapfile", "readarray", "getopts", "let", "wait"]);

/** What a builtin does to the shell: it moves, or it sets variables. Other programs cannot. */
export function applyBuiltin(fields: readonly Field[], state: ShellState, walker: Walker): void {
  const [first, ...args] = fields;
  const program = fieldText(first);
  if (program === "command" || program === "builtin") {
    const inner = args.findIndex((field) => !fieldText(field)?.startsWith("-"));
    if (inner >= 0) applyBuiltin(args.slice(inner), state, walker);
  } else if (program === "cd" || program === "pushd") {
    state.cwds = folderAfter(args, state, walker);
    state.variables.set("OLDPWD", undefined);
  } else if (program === "popd") {
    state.cwds = undefined;
  } else if (program === "eval" || program === "source" || program === ".") {
    forgetState(state);
  } else if (program === "unset") {
    state.functions.clear();
    forgetNames(args, state);
  } else if (program !== undefined && DECLARES.has(program)) {
    declare(args, state);
  } else if (program === "read" && !args.some((field) => isPlainName(fieldText(field)))) {
    state.variables.set("REPLY", undefined);
  } else if (program !== undefined && SETS_NAMES.has(program)) {
    forgetNames(args, state);
  } else if (program === "printf") {
    const at = args.findIndex((field) => fieldText(field) === "-v");
    if (at >= 0) forgetNames(args.slice(at + 1, at + 2), state);
  }
}

/** The folders that `cd` may lead to; undefined where its operand is not known. */
function folderAfter(
  args: readonly Field[],
  { cwds, home }: ShellState,
  walker: Walker,
): readonly string[] | undefined {
  const operands = args.filter((field, index) => !isCdOption(field, args[index - 1]));
  if (operands.length === 0) return [home];
  const [operand, more] = operands;
  const target = operand && folderText(operand);
  if (target === undefined || more || target === "-" || /^[-+]\d/.test(target)) return undefined;
  if (target === "") return cwds;
  if (target.startsWith("/")) return [walker.join("/", target)];
  return cwds
    ?.map((cwd) => walker.join(cwd, target))
    .reduce<readonly string[] | undefined>((all, one) => mergeFolders(all, [one]), []);
}

/** A folder that wildcards stand for keeps them: it lies below the part that is known. */
function folderText({ pieces, many }: Field): string | undefined {
  const texts = pieces.map((piece) =>
    piece.kind === "text" ? piece.text : piece.kind === "wild" ? piece.pattern : undefined,
  );
  const text = many || texts.includes(undefined) ? undefined : texts.join("");
  const wild = text?.search(/[*?[]/) ?? -1;
  return wild >= 0 && (wild === 0 || text?.slice(wild).split("/").includes("..")) ? undefined : text;
}

function isCdOption(field: Field, before: Field | undefined): boolean {
  const text = fieldText(field);
  return before === undefined || fieldText(before) !== "--"
    ? text !== undefined && /^-[PLen@]+$|^--$/.test(text)
    : false;
}

function declare(args: readonly Field[], state: ShellState): void {
  for (const field of args) {
    const start = field.pieces[0];
    const match = start?.kind === "text" ? /^([A-Za-z_]\w*)(\[.*\])?(\+?=)(.*)$/s.exec(start.text) : null;
    const name = match?.[1];
    if (name === undefined) continue;
    const rest = match?.[4] ?? "";
    const value = [...(rest ? [{ kind: "text" as const, text: rest }] : []), ...field.pieces.slice(1)];
    state.variables.set(name, match?.[2] || match?.[3] === "+=" ? undefined : value);
  }
}

function forgetNames(args: readonly Field[], state: ShellState): void {
  for (const field of args) {
    const name = textOf(field.pieces)
      ?.replace(/\[.*/s, "")
      .replace(/[-+*/%]?=.*/s, "");
    if (name !== undefined && isPlainName(name)) forgetVariable(state, name, false);
  }
}
