import { type Field, fieldText, textField } from "../shell/fields.ts";
import { hasOption, optionValues, type ParsedOptions, parseOptions } from "../shell/options.ts";
import { GIT_COMMANDS, GIT_GLOBAL_OPTIONS, GIT_GREP_OPTIONS, type GitCommand } from "./gitTable.ts";
import type { ReadOnlyUse, ReadUse } from "./readOnlyUse.ts";

/** What a call of git reads besides its repository; undefined where it may do more than read. */
export function gitUse(args: readonly Field[]): ReadOnlyUse | undefined {
  if (args.length === 1 && /^(?:--version|version)$/.test(fieldText(args[0]) ?? "")) return { reads: [] };
  const globals = parseOptions(args, GIT_GLOBAL_OPTIONS, true);
  const [folder, another] = globals ? optionValues(globals, "-C") : [];
  if (!globals || another || (folder && fieldText(folder) === undefined)) return undefined;
  const reads = subcommandReads(globals.operands);
  return reads && { reads, git: true, ...(folder ? { folder } : {}) };
}

function subcommandReads(words: readonly Field[]): ReadUse[] | undefined {
  const [sub, verb] = [fieldText(words[0]), fieldText(words[1])];
  if (sub === "grep") return grepReads(parseOptions(words.slice(1), GIT_GREP_OPTIONS));
  const pair = verb === undefined ? undefined : GIT_COMMANDS.get(`${sub} ${verb}`);
  if (pair) return commandReads(pair, words.slice(2));
  const single = sub === undefined ? undefined : GIT_COMMANDS.get(sub);
  return single && commandReads(single, words.slice(1));
}

function commandReads(command: GitCommand, args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, command.options);
  if (!parsed) return undefined;
  const { operands, pathValues } = parsed;
  const first = fieldText(operands[0]);
  if (operands.length > 0 && !command.operands) return undefined;
  if (operands.length > (command.maxOperands ?? operands.length)) return undefined;
  if (first !== undefined && command.refuses?.has(first)) return undefined;
  const { needs } = command;
  if (needs && operands.length > (command.free ?? 0) && !hasOption(parsed, ...needs)) return undefined;
  if (showsSignatures(parsed)) return undefined;
  return [...operands.flatMap(operandReads), ...pathValues.map((field) => ({ field }))];
}

/** Formats that show signatures make git run the program that checks them. */
function showsSignatures(parsed: ParsedOptions): boolean {
  const formats = optionValues(parsed, "--format", "--pretty", "--sort");
  return formats.some((value) => /%G|signature/.test(fieldText(value) ?? "%G"));
}

/** A revision is a harmless path; `REVISION:PATH` shows what the repository holds under that path. */
function operandReads(field: Field): ReadUse[] {
  const path = /^[^:]+:(.+)$/.exec(fieldText(field) ?? "")?.[1];
  return [{ field }, ...(path === undefined ? [] : [{ field: textField(path) }])];
}

function grepReads(parsed: ParsedOptions | undefined): ReadUse[] | undefined {
  if (!parsed) return undefined;
  const { operands, pathValues } = parsed;
  const paths = hasOption(parsed, "-e", "-f") ? operands : operands.slice(1);
  const all = paths.length > 0 ? paths : [textField(".")];
  return [...all.map((field) => ({ field, recursive: { hidden: true } })), ...pathValues.map((field) => ({ field }))];
}
