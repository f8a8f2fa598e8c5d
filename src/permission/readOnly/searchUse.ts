import { type Field, fieldStart, fieldText, textField } from "../shell/fields.ts";
import { hasOption, optionValues, parseOptions } from "../shell/options.ts";
import type { ShellCommand } from "../shell/shellItems.ts";
import type { ReadUse } from "./readOnlyUse.ts";
import {
  AWK_OPTIONS,
  FD_OPTIONS,
  FIND_WORDS,
  GREP_OPTIONS,
  JQ_OPTIONS,
  RG_OPTIONS,
  SED_OPTIONS,
} from "./searchTable.ts";
import { awkRunsOrWrites, jqOnlyPrints, sedRunsOrWrites } from "./textPrograms.ts";

type Use = (args: readonly Field[], command: ShellCommand) => ReadUse[] | undefined;

/** Programs that search or filter, whose arguments need more than a table. */
export const FIELD_USES: Readonly<Record<string, Use>> = {
  grep: grepUse,
  egrep: grepUse,
  fgrep: grepUse,
  rg: rgUse,
  fd: fdUse,
  fdfind: fdUse,
  find: findUse,
  sed: sedUse,
  gsed: sedUse,
  awk: awkUse,
  gawk: awkUse,
  mawk: awkUse,
  jq: jqUse,
};

function grepUse(args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, GREP_OPTIONS);
  if (!parsed) return undefined;
  const { operands, pathValues } = parsed;
  const given = hasOption(parsed, "-e", "--regexp", "-f", "--file");
  const paths = given ? operands : operands.slice(1);
  const recursive = hasOption(parsed, "-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories");
  const searched = paths.length === 0 && recursive ? [textField(".")] : paths;
  return [...reading(searched, recursive ? { hidden: true } : undefined), ...reading(pathValues)];
}

/** Without a path `rg` reads its input in a pipe and the folder elsewhere; names with a dot only when told to. */
function rgUse(args: readonly Field[], { stdin }: ShellCommand): ReadUse[] | undefined {
  const parsed = parseOptions(args, RG_OPTIONS);
  if (!parsed) return undefined;
  const { options, operands, pathValues } = parsed;
  if (hasOption(parsed, "--type-list", "--version")) return [];
  const given = hasOption(parsed, "-e", "--regexp", "-f", "--file", "--files");
  const paths = given ? operands : operands.slice(1);
  const unrestricted = options.filter(({ name }) => name === "-u" || name === "--unrestricted").length;
  const hidden = hasOption(parsed, "-.", "--hidden") || unrestricted > 1;
  const searched = paths.length === 0 && stdin.kind !== "pipe" ? [textField(".")] : paths;
  return [...reading(searched, { hidden }), ...reading(pathValues)];
}

function fdUse(args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, FD_OPTIONS);
  if (!parsed) return undefined;
  return reading([...parsed.operands.slice(1), ...optionValues(parsed, "--base-directory", "--search-path")]);
}

function findUse(args: readonly Field[]): ReadUse[] | undefined {
  const start = args.findIndex((field) => /^(?:-[HLP]|-O\d?)$/.test(fieldText(field) ?? "") === false);
  const words = start < 0 ? [] : args.slice(start);
  const end = words.findIndex((field) => /^(?:-.*|[(),!])$/s.test(fieldStart(field)));
  const paths = end < 0 ? words : words.slice(0, end);
  const tests = end < 0 ? [] : words.slice(end);
  const files: Field[] = [];
  for (let at = 0; at < tests.length; at += 1) {
    const word = fieldText(tests[at]) ?? "";
    const count = /^-newer[aBcm][aBcmt]$/.test(word) ? 1 : FIND_WORDS.get(word);
    if (count === undefined) return undefined;
    const values = tests.slice(at + 1, at + 1 + count);
    if (values.length < count || values.some(mayBeSeveral)) return undefined;
    if (/^-(?:[ac]?newer|samefile|newer[aBcm][aBcm])$/.test(word)) files.push(...values);
    at += count;
  }
  return reading([...(paths.length > 0 ? paths : [textField(".")]), ...files]);
}

function sedUse(args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, SED_OPTIONS);
  if (!parsed) return undefined;
  const expressions = optionValues(parsed, "-e", "--expression");
  const scripts = expressions.length > 0 ? expressions : parsed.operands.slice(0, 1);
  const prints = scripts.every((field) => sedRunsOrWrites(fieldText(field) ?? "e") === "prints");
  return prints ? reading(expressions.length > 0 ? parsed.operands : parsed.operands.slice(1)) : undefined;
}

function awkUse(args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, AWK_OPTIONS, true);
  const [program, ...files] = parsed?.operands ?? [];
  if (!parsed || !program || awkRunsOrWrites(fieldText(program) ?? "|") !== "prints") return undefined;
  const operands = files.filter((field) => !/^[A-Za-z_]\w*=/.test(fieldStart(field)) && fieldText(field) !== "-");
  return operands.some((field) => fieldStart(field).startsWith("-")) ? undefined : reading(operands);
}

/** `--arg NAME VALUE` and its siblings take two words, so they are taken out before the rest is read. */
function jqUse(args: readonly Field[]): ReadUse[] | undefined {
  const rest: Field[] = [];
  const files: Field[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const field = args[at] as Field;
    const text = fieldText(field) ?? "";
    if (/^--(?:arg|argjson)$/.test(text)) at += 2;
    else if (/^--(?:slurpfile|rawfile)$/.test(text)) {
      files.push(...args.slice(at + 2, at + 3));
      at += 2;
    } else rest.push(field);
  }
  const parsed = parseOptions(rest, JQ_OPTIONS);
  const [filter, ...inputs] = parsed?.operands ?? [];
  if (!parsed || !filter || !jqOnlyPrints(fieldText(filter) ?? "env")) return undefined;
  return reading([...inputs, ...files]);
}

function mayBeSeveral({ many, pieces }: Field): boolean {
  return many || pieces.some(({ kind }) => kind === "wild");
}

function reading(fields: readonly Field[], recursive?: { hidden: boolean }): ReadUse[] {
  return fields
    .filter((field) => fieldText(field) !== "-")
    .map((field) => ({ field, ...(recursive ? { recursive } : {}) }));
}
