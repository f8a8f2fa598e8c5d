import { isOwnVariable, isShownVariable } from "../environmentNames.ts";
import { type Field, fieldStart, fieldText } from "../shell/fields.ts";
import { isPlainName } from "../shell/hazards.ts";
import { hasOption, optionTable, type ParsedOptions, parseOptions } from "../shell/options.ts";
import type { ShellCommand } from "../shell/shellItems.ts";
import { READ_ONLY_COMMANDS, VERSION_COMMANDS } from "./commandTable.ts";
import { gitUse } from "./gitUse.ts";
import { FIELD_USES } from "./searchUse.ts";

/** A file that a read-only command looks at. `recursive`: everything below it too. */
export interface ReadUse {
  field: Field;
  recursive?: { hidden: boolean };
}

/** What a read-only command reads. `folder`: where it goes first (`git -C`). `git`: it obeys the repository it stands in. */
export interface ReadOnlyUse {
  reads: readonly ReadUse[];
  folder?: Field;
  git?: true;
}

/** What the command reads; undefined where it may do anything but read, or show what should not be seen. */
export function readOnlyUse(command: ShellCommand): ReadOnlyUse | undefined {
  const [first, ...args] = command.fields;
  const program = fieldText(first);
  if (program === undefined || shownSecret(command)) return undefined;
  if (program === "git") return gitUse(args);
  const special = SPECIAL[program] ?? FIELD_USES[program];
  const reads = special ? special(args, command) : undefined;
  if (reads) return { reads };
  if (asksVersion(program, args)) return { reads: [] };
  return special ? undefined : tableUse(program, args);
}

/** The variable of the environment, if any, that a word or the input holds and that may be a key. */
export function shownSecret({ fields, stdin }: ShellCommand): string | undefined {
  const pieces = [...fields.flatMap((field) => field.pieces), ...(stdin.kind === "text" ? stdin.pieces : [])];
  return pieces
    .flatMap((piece) => (piece.kind === "any" && piece.variable ? [piece.variable] : []))
    .find((name) => !isShownVariable(name));
}

function tableUse(program: string, args: readonly Field[]): ReadOnlyUse | undefined {
  const row = READ_ONLY_COMMANDS.get(program);
  const parsed = row && parseOptions(args, row.options);
  if (!row || !parsed) return undefined;
  const { operands, pathValues } = parsed;
  if (row.operands === "none" && operands.length > 0) return undefined;
  if (row.operands === "onePath" && operands.length > 1) return undefined;
  if (row.operands === "text") return { reads: pathValues.map((field) => ({ field })) };
  const recursive = hasOption(parsed, ...(row.recursive ?? [])) ? { recursive: { hidden: true } } : {};
  const reads = [...operands, ...pathValues].filter((field) => fieldText(field) !== "-");
  return { reads: reads.map((field) => ({ field, ...recursive })) };
}

function asksVersion(program: string, args: readonly Field[]): boolean {
  const word = fieldText(args[0]);
  return args.length === 1 && word !== undefined && (VERSION_COMMANDS.get(program)?.has(word) ?? false);
}

const DATE = optionTable({
  flags: "-Ru --utc --universal --rfc-email --help --version",
  valued: "-d --date",
  paths: "-r --reference",
  optional: "-I --iso-8601 --rfc-3339",
});
const CD = optionTable({ flags: "-LPe" });
const READ = optionTable({ flags: "-rsE", valued: "-dnNptu" });
const READ_LINES = optionTable({ flags: "-t", valued: "-dnOsu" });
const DECLARE = optionTable({ flags: "-aAgrxlu" });
const PS = optionTable({
  flags: "-AadefFHjlLmMNTwyZ --forest --no-headers --headers --cumulative",
  valued:
    "-oOpqtuUgGC --format --pid --ppid --quick-pid --sort --user --User --group --tty --cols --rows --columns --lines --width",
});
const SET_OPTIONS = new Set(["errexit", "nounset", "pipefail", "xtrace", "verbose", "noclobber"]);

type Use = (args: readonly Field[], command: ShellCommand) => ReadUse[] | undefined;

const SPECIAL: Readonly<Record<string, Use>> = {
  echo: () => [],
  printf: (args) =>
    fieldStart(args[0] ?? EMPTY) !== "" && !/^-[^-]/.test(fieldStart(args[0] ?? EMPTY)) ? [] : undefined,
  command: (args) => (/^-[vV]$/.test(fieldText(args[0]) ?? "") ? [] : undefined),
  test: (args) => testUse(args),
  "[": (args) => (fieldText(args.at(-1)) === "]" ? testUse(args.slice(0, -1)) : undefined),
  date: (args) => dateUse(parseOptions(args, DATE)),
  cd: (args) => folderUse(parseOptions(args, CD)),
  pushd: (args) => (args.length === 1 ? folderUse(parseOptions(args, CD)) : undefined),
  popd: (args) => (args.length === 0 ? [] : undefined),
  dirs: (args) => (args.length === 0 ? [] : undefined),
  read: (args) => onlyNames(parseOptions(args, READ)),
  mapfile: (args) => onlyNames(parseOptions(args, READ_LINES)),
  readarray: (args) => onlyNames(parseOptions(args, READ_LINES)),
  unset: (args) => onlyNames(parseOptions(args, optionTable({ flags: "-v" }))),
  export: (args) => declares(args, true),
  declare: (args) =>
    declares(
      args,
      args.some((field) => /^-\w*x/.test(fieldStart(field))),
    ),
  typeset: (args) =>
    declares(
      args,
      args.some((field) => /^-\w*x/.test(fieldStart(field))),
    ),
  local: (args) => declares(args, false),
  readonly: (args) => declares(args, false),
  wait: (args) =>
    args.every(
      (field) =>
        /^(?:%?\d*|-[fn])$/.test(fieldText(field) ?? "") || field.pieces.every(({ kind }) => kind === "number"),
    )
      ? []
      : undefined,
  set: (args) => (setsOnlyChecks(args) ? [] : undefined),
  ps: (args) => processUse(args),
};

const EMPTY: Field = { pieces: [], raw: "", many: false };

function dateUse(parsed: ParsedOptions | undefined): ReadUse[] | undefined {
  if (!parsed?.operands.every((field) => fieldStart(field).startsWith("+"))) return undefined;
  return parsed.pathValues.map((field) => ({ field }));
}

function folderUse(parsed: ParsedOptions | undefined): ReadUse[] | undefined {
  if (!parsed || parsed.operands.length > 1) return undefined;
  const [operand] = parsed.operands;
  if (!operand || operand.many || /^(?:-|[-+]\d+|)$/.test(fieldText(operand) ?? fieldStart(operand))) return undefined;
  return [{ field: operand }];
}

function onlyNames(parsed: ParsedOptions | undefined): ReadUse[] | undefined {
  return parsed?.operands.every((field) => isPlainName(fieldText(field))) ? [] : undefined;
}

/** Declares the script's own variables; without any it would print all there are. */
function declares(args: readonly Field[], exported: boolean): ReadUse[] | undefined {
  const parsed = parseOptions(args, DECLARE);
  if (!parsed || parsed.operands.length === 0) return undefined;
  const own = parsed.operands.every((field) => {
    const match = /^([A-Za-z_]\w*)(=|$)/.exec(fieldStart(field));
    const name = match?.[1];
    return (
      name !== undefined && (match?.[2] === "=" || fieldText(field) !== undefined) && isOwnVariable(name, exported)
    );
  });
  return own ? [] : undefined;
}

/** Options of the shell that make scripts stop earlier or show what they do. */
function setsOnlyChecks(args: readonly Field[]): boolean {
  const texts = args.map(fieldText);
  return (
    texts.length > 0 &&
    texts.every((text, index) => {
      if (text === undefined) return false;
      const takesName = /^[-+][a-zA-Z]*o$/.test(texts[index - 1] ?? "");
      return takesName ? SET_OPTIONS.has(text) : /^[-+][euxvC]*o?$/.test(text) && text.length > 1;
    })
  );
}

/** `ps`: words without a dash are letters of another dialect, where `e` shows the environment. */
function processUse(args: readonly Field[]): ReadUse[] | undefined {
  const parsed = parseOptions(args, PS);
  return parsed?.operands.every((field) => /^(?:[afghjlLnrSTuUvwxX]+|\d+)$/.test(fieldText(field) ?? ""))
    ? []
    : undefined;
}

const LOOKS_AT = /^-[abcdefghkprsuwxGLNOS]$/;
const ON_TEXT = /^-[nz]$/;
const COMPARES_TEXT = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge)$/;
const COMPARES_FILES = /^-(?:nt|ot|ef)$/;

/** `test`, read from left to right: every word must have its place, or a variable could bring an operator along. */
function testUse(args: readonly Field[]): ReadUse[] | undefined {
  const reads: ReadUse[] = [];
  let at = 0;
  const whole = (field: Field | undefined): field is Field =>
    field !== undefined && !field.many && field.pieces[0]?.kind !== "wild";
  while (at < args.length) {
    const [one, two, three] = args.slice(at, at + 3);
    const word = fieldText(one) ?? "";
    const between = fieldText(two) ?? "";
    if (whole(one) && whole(three) && (COMPARES_TEXT.test(between) || COMPARES_FILES.test(between))) {
      if (COMPARES_FILES.test(between)) reads.push({ field: one }, { field: three });
      at += 3;
    } else if (word === "!" || word === "(" || word === ")") {
      at += 1;
      continue;
    } else if (whole(two) && (LOOKS_AT.test(word) || ON_TEXT.test(word))) {
      if (LOOKS_AT.test(word)) reads.push({ field: two });
      at += 2;
    } else if (args.length === 1 && whole(one)) {
      at += 1;
    } else {
      return undefined;
    }
    const next = fieldText(args[at]);
    if (next === "-a" || next === "-o") at += 1;
    else if (at < args.length && next !== ")") return undefined;
  }
  return reads;
}
