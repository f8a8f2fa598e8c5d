import { type CodeArguments, hiddenCode, joinedScript, NO_CODE } from "./codeFound.ts";
import { isOwnVariable, isSteeringVariable } from "./environmentNames.ts";
import { gitCode } from "./gitCode.ts";
import { hasRunningOptions, optionCode } from "./programOptions.ts";
import { awkRunsOrWrites, sedRunsOrWrites } from "./readOnly/textPrograms.ts";
import { type Field, fieldStart, fieldText, joined, textField, textOf } from "./shell/fields.ts";
import { isPlainName } from "./shell/hazards.ts";
import { dropStart } from "./shell/options.ts";
import type { ShellCommand } from "./shell/shellItems.ts";
import { readsAlike } from "./shellDialects.ts";

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "fish"]);

/** Interpreters whose code the engine cannot read: it looks for the names of denied programs in it. */
const INTERPRETERS =
  /^(?:python|pypy|perl|ruby|node|nodejs|deno|bun|php|lua|luajit|tclsh|expect|osascript|[gmn]?awk|gdb|vim?|nvim|ex|ed|g?make|g?sed|su|runuser|emacs|sqlite3|psql|mysql|rscript|julia|groovy|scala|ipython|tsx|ts-node|m4)[\d.]*$/;
const TAKES_CODE = /^(?:-[a-zA-Z]*[ceEprx]|--(?:eval|print|run|command|execute|ex)|eval)$/;

/** The code in the arguments of a command; `program`: its name without a path. */
export function codeArguments(program: string, command: ShellCommand): CodeArguments {
  const [, ...args] = command.fields;
  if (SHELLS.has(program)) return inDialect(program, shellCode(args, command));
  const known = Object.hasOwn(CODE, program) ? CODE[program] : undefined;
  if (!known && !hasRunningOptions(program)) return NO_CODE;
  if (args.some((field) => isHalfKnownOption(program, field))) return hiddenCode("One of its options is not known.");
  return known?.(args, command) ?? optionCode(program, args);
}

/** An option of which only the beginning of the name is known: `-$x`, or `-ex$x` where names are longer than a letter. */
function isHalfKnownOption(program: string, field: Field): boolean {
  if (fieldText(field) !== undefined) return false;
  const start = fieldStart(field);
  if (program === "find") return /^-\w*$/.test(start);
  return /^(?:-|--[\w-]*)$/.test(start) || (program === "printf" && start.startsWith("-v"));
}

function inDialect(program: string, code: CodeArguments): CodeArguments {
  if (code.scripts.every((script) => readsAlike(program, script))) return code;
  return { ...code, transparent: false, hidden: `${program} may read its text differently.` };
}

/**
 * The code of an interpreter call, in which the names of denied programs are looked for, undefined where a part of it is
 * not known; nothing for other programs.
 */
export function interpreterCode(program: string, { fields, stdin }: ShellCommand): (string | undefined)[] {
  if (!INTERPRETERS.test(program)) return [];
  const input = stdin.kind === "text" ? textOf(stdin.pieces) : "";
  const everywhere = /awk|sed|sqlite3|make|^ed$/.test(program);
  const script = fields.findIndex(
    (field, index) => index > 0 && !fieldStart(field).startsWith("-") && !isUnknown(field),
  );
  const code = fields.filter((field, index) => {
    if (index === 0) return false;
    const before = fieldText(fields[index - 1]) ?? "";
    const mayBeOption = isUnknown(field) && (script < 0 || index < script);
    return (
      everywhere || mayBeOption || TAKES_CODE.test(before) || /^(?:-[ceErx].|--(?:eval|print)=)/.test(fieldStart(field))
    );
  });
  const texts = [...code.map(fieldText), input];
  // a script of sed that is known has been read
  return /sed/.test(program) ? texts.filter((text) => text === undefined) : texts;
}

function isUnknown(field: Field): boolean {
  return fieldText(field) === undefined && (field.many || fieldStart(field) === "");
}

const SOURCING = () => hiddenCode("It runs the text of a file in the shell.");

const CODE: Readonly<Record<string, (args: readonly Field[], command: ShellCommand) => CodeArguments>> = {
  eval: (args) => joinedScript(args),
  ".": SOURCING,
  source: SOURCING,
  trap: trapCode,
  alias: (args) =>
    args.some((field) => fieldStart(field).includes("=") || fieldText(field) === undefined)
      ? hiddenCode("It gives a name to other words.")
      : NO_CODE,
  hash: (args) =>
    args.some((field) => /^-[a-z]*p/.test(fieldStart(field)))
      ? hiddenCode("It gives the name of a command to another file.")
      : NO_CODE,
  enable: (args) => (args.length > 0 ? hiddenCode("It changes which builtins there are.") : NO_CODE),
  bind: () => hiddenCode("It binds keys to commands."),
  mapfile: (args) => callbackOrNames(args),
  readarray: (args) => callbackOrNames(args),
  read: (args) => plainNames(args, /^-[a-zA-Z]*[adinNptu]$/),
  unset: (args) => plainNames(args),
  getopts: (args) => plainNames(args.slice(1, 2)),
  wait: (args) => plainNames(args.filter((_, index) => fieldText(args[index - 1]) === "-p")),
  printf: (args) => plainNames(args.flatMap((field, index) => printedName(field, args[index - 1]))),
  declare: declaration,
  typeset: declaration,
  local: declaration,
  export: declaration,
  readonly: declaration,
  let: (args) =>
    args.every((field) => isOwnName(/^([A-Za-z_]\w*)[-+*/%]?=?\d*$/.exec(fieldText(field) ?? "")?.[1] ?? ""))
      ? NO_CODE
      : hiddenCode("It evaluates arithmetic on text that may hold code."),
  test: testNames,
  "[": testNames,
  find: findCommands,
  fd: fdCommands,
  fdfind: fdCommands,
  git: gitCode,
  sed: (args) => sedCode(args),
  gsed: (args) => sedCode(args),
  awk: (args) => awkCode(args),
  gawk: (args) => awkCode(args),
  mawk: (args) => awkCode(args),
  at: () => hiddenCode("It runs its standard input later."),
  fc: (args) =>
    args.some((field) => /^-[a-z]*l/.test(fieldStart(field))) ? NO_CODE : hiddenCode("It runs an earlier command."),
  parallel: parallelCode,
  crontab: (args) =>
    args.some((field) => fieldText(field) === "-l") ? NO_CODE : hiddenCode("It changes what runs later."),
  socat: () => hiddenCode("It connects programs."),
  "start-stop-daemon": () => hiddenCode("It runs another program."),
  batch: () => hiddenCode("It runs its standard input later."),
};

/** `-c TEXT` in any bundle; else a script file, which a rule for the interpreter covers; else standard input. */
function shellCode(args: readonly Field[], { stdin }: ShellCommand): CodeArguments {
  let takesText = false;
  let readsInput = false;
  let readsStartUp = false;
  for (let at = 0; at < args.length; at += 1) {
    const field = args[at] as Field;
    const text = fieldText(field);
    if (text === undefined) return hiddenCode("What the shell is to run is not known.");
    if (text === "--rcfile" || text === "--init-file") {
      readsStartUp = true;
      at += 1;
    } else if (/^[-+]./.test(text) && text !== "--") {
      takesText ||= /^-[a-zA-Z]*c/.test(text);
      readsInput ||= /^-[a-zA-Z]*s/.test(text);
      readsStartUp ||= !/^-[ceux]+$|^--no(?:rc|profile)$/.test(text);
      if (/^[-+][a-zA-Z]*[oO]$/.test(text)) at += 1;
    } else if (takesText) {
      const script = text === "--" ? fieldText(args[at + 1]) : text;
      if (script === undefined) return hiddenCode("What the shell is to run is not known.");
      return { ...NO_CODE, scripts: [script], transparent: !readsStartUp };
    } else if (text !== "--") {
      const input = readsInput || text === "-" || /^\/(?:dev|proc)\//.test(text);
      // a name without a slash is looked up on PATH like a program
      return input ? inputScript(stdin) : { ...NO_CODE, search: args.slice(at) };
    }
  }
  if (args.some((field) => fieldText(field) === "--version" || fieldText(field) === "--help")) return NO_CODE;
  return inputScript(stdin);
}

function inputScript(stdin: ShellCommand["stdin"]): CodeArguments {
  const script = stdin.kind === "text" ? textOf(stdin.pieces) : undefined;
  return script === undefined
    ? hiddenCode("A shell runs what it reads, and that is not known.")
    : { ...NO_CODE, scripts: [script] };
}

function trapCode(args: readonly Field[]): CodeArguments {
  const words = args[0] && fieldText(args[0]) === "--" ? args.slice(1) : args;
  const action = fieldText(words[0]);
  if (words.length === 0 || (action !== undefined && /^(?:-|-[lp]|)$/.test(action))) return NO_CODE;
  return action === undefined
    ? hiddenCode("What it runs on a signal is not known.")
    : { ...NO_CODE, scripts: [action] };
}

function callbackOrNames(args: readonly Field[]): CodeArguments {
  if (args.some((field) => /^-[a-z]*C/.test(fieldStart(field)))) return hiddenCode("One of its options runs code.");
  return plainNames(args, /^-[a-zA-Z]*[dnOsuc]$/);
}

/** Builtins that take names of variables evaluate subscripts in them. `valued`: options whose value is no name. */
function plainNames(args: readonly Field[], valued?: RegExp): CodeArguments {
  const safe = args.every((field, index) => {
    const before = fieldText(args[index - 1]);
    if (valued && before !== undefined && valued.test(before) && !before.endsWith("a")) return true;
    const text = fieldText(field);
    return text !== undefined && (text.startsWith("-") ? !/[[$`]/.test(text) : isOwnName(text));
  });
  return safe ? NO_CODE : hiddenCode("It evaluates the name of a variable, or sets one that may change what runs.");
}

/** The name of a variable that a script may set for itself, without a subscript. */
function isOwnName(text: string): boolean {
  return isPlainName(text) && isOwnVariable(text, false);
}

/** The variable that `printf -v` sets, behind the option or attached to it. */
function printedName(field: Field, before: Field | undefined): Field[] {
  if (fieldText(before) === "-v") return [field];
  const attached = /^-v(.+)$/s.exec(fieldText(field) ?? "")?.[1];
  return attached === undefined ? [] : [textField(attached)];
}

function declaration(args: readonly Field[]): CodeArguments {
  const integers = args.some((field) => /^-[a-zA-Z]*[in]/.test(fieldText(field) ?? ""));
  const safe = args.every((field) => {
    const start = fieldStart(field);
    if (/^[-+]/.test(start)) return fieldText(field) !== undefined;
    return /^[A-Za-z_]\w*(?:\+?=|$)/.test(start) && (fieldText(field) !== undefined || start.includes("="));
  });
  const steering = args
    .map((field) => /^([A-Za-z_]\w*)\+?=/.exec(fieldStart(field))?.[1])
    .find((name) => name !== undefined && isSteeringVariable(name));
  if (steering) return hiddenCode(`It sets ${steering}, which may change what runs.`);
  if (integers) return hiddenCode("It evaluates arithmetic or gives a variable another's name.");
  return safe ? NO_CODE : hiddenCode("It evaluates the name of a variable.");
}

function testNames(args: readonly Field[]): CodeArguments {
  const words = fieldText(args.at(-1)) === "]" ? args.slice(0, -1) : args;
  const unsure = words.slice(0, -1).some((field) => fieldText(field) === undefined);
  if (unsure && (words.length === 2 || words.some((field) => /\[.*[$`]/s.test(fieldText(field) ?? ""))))
    return hiddenCode("It may evaluate the name of a variable.");
  const named = args.filter((_, index) => /^-[vR]$/.test(fieldText(args[index - 1]) ?? ""));
  return named.every((field) => isPlainName(fieldText(field)))
    ? NO_CODE
    : hiddenCode("It evaluates the name of a variable.");
}

/** The commands behind `-exec` and its siblings; `{}` stands for names that are not known. */
function findCommands(args: readonly Field[]): CodeArguments {
  const commands: Field[][] = [];
  for (let at = 0; at < args.length; at += 1) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(fieldText(args[at]) ?? "")) continue;
    const end = args.findIndex((field, index) => index > at && /^[;+]$/.test(fieldText(field) ?? ""));
    const inner = args.slice(at + 1, end < 0 ? args.length : end).map(withPlaceholder);
    commands.push(inner);
    at = end < 0 ? args.length : end;
  }
  return { ...NO_CODE, commands };
}

/** The program may be attached to the option (`-xrm`, `--exec=rm`). */
function fdCommands(args: readonly Field[]): CodeArguments {
  const option = /^(?:-[a-wyzA-WYZ0-9]*[xX]=?|--exec(?:-batch)?(?:=|$))/;
  const at = args.findIndex((field) => option.test(fieldStart(field)));
  const given = args[at];
  if (!given) return NO_CODE;
  const attached = dropStart(given, option.exec(fieldStart(given))?.[0].length ?? 0);
  const words = [...(fieldText(attached) === "" ? [] : [attached]), ...args.slice(at + 1)];
  return {
    ...NO_CODE,
    commands: [words.map(withPlaceholder)],
    hidden: words.length > 0 ? undefined : "It runs a program.",
  };
}

/** Without words of its own before `:::` it runs what it is given or reads. */
function parallelCode(args: readonly Field[]): CodeArguments {
  const first = args.find((field) => !/^-/.test(fieldStart(field)));
  const own = first && !/^(?::::|$)|\{/.test(fieldText(first) ?? "{");
  return own ? NO_CODE : hiddenCode("It runs what it is given.");
}

function withPlaceholder(field: Field): Field {
  const text = fieldText(field);
  return text?.includes("{}") ? { ...field, pieces: joined([{ kind: "any" }]) } : field;
}

function sedCode(args: readonly Field[]): CodeArguments {
  return args.some((field) => sedRunsOrWrites(fieldText(field) ?? "") === "runs")
    ? hiddenCode("Its script runs a program.")
    : NO_CODE;
}

function awkCode(args: readonly Field[]): CodeArguments {
  return args.some((field) => awkRunsOrWrites(fieldText(field) ?? "") === "runs")
    ? hiddenCode("Its program runs another one.")
    : NO_CODE;
}
