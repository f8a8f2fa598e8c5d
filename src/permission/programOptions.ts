import { type CodeArguments, hiddenCode, NO_CODE } from "./codeFound.ts";
import { type Field, fieldStart, fieldText } from "./shell/fields.ts";

/**
 * Options with which a program runs another one or loads code. `long`: without dashes; any beginning of one counts but for
 * those of `harmless`, as most programs take abbreviations (`exact`: this one does not). `single`: one dash is enough.
 * `short`: letters, in any bundle. `word`: any argument of this form. `ends`: what follows `--` is for another program.
 */
export interface RunningOptions {
  long?: string;
  short?: string;
  harmless?: string;
  word?: RegExp;
  single?: boolean;
  exact?: boolean;
  ends?: boolean;
}

const SSH: RunningOptions = {
  short: "F",
  word: /^(?:-[a-zA-Z]*o)?(?:Proxy|Local|KnownHosts|Match|PKCS11|SecurityKey|XAuth)/i,
};
const NETCAT: RunningOptions = { short: "ec", long: "exec sh-exec" };
const NPM: RunningOptions = {
  long: "script-shell shell call node-options git editor viewer browser userconfig globalconfig init-module",
  harmless: "global",
  single: true,
  ends: true,
};

const PROGRAMS: Readonly<Record<string, RunningOptions>> = {
  ssh: { ...SSH, short: "FI" },
  scp: { ...SSH, short: "FSD" },
  sftp: { ...SSH, short: "FSD" },
  nc: NETCAT,
  ncat: NETCAT,
  tar: {
    long: "checkpoint-action to-command use-compress-program rsh-command rmt-command info-script new-volume-script",
    short: "IF",
    harmless: "checkpoint",
  },
  rg: { long: "pre hostname-bin", exact: true },
  sort: { long: "compress-program" },
  split: { long: "filter" },
  man: { long: "pager html", short: "PH" },
  rsync: { long: "rsh rsync-path", short: "e" },
  wget: { word: /(?:^|=|^-\w*e|^--)use[-_]*a/i },
  npm: { ...NPM, short: "c" },
  pnpm: NPM,
  yarn: NPM,
  go: { long: "exec toolexec vettool", exact: true, single: true, word: /-extld\b/ },
  cargo: { long: "config", exact: true, ends: true },
  complete: { short: "CFW" },
  compgen: { short: "CFW" },
};

/** Whether options of the program are known that run others. */
export function hasRunningOptions(program: string): boolean {
  return Object.hasOwn(PROGRAMS, program);
}

/** Code that the options of a program name; `program`: its name without a path. */
export function optionCode(program: string, args: readonly Field[]): CodeArguments {
  const options = hasRunningOptions(program) ? PROGRAMS[program] : undefined;
  const bundle = program === "tar" && runsInOldStyle(args[0]);
  return options && (bundle || givesOption(args, options))
    ? hiddenCode("One of its options runs another program.")
    : NO_CODE;
}

/** Whether one of the options is given, also under a shorter name and in a bundle of letters. */
export function givesOption(args: readonly Field[], options: RunningOptions): boolean {
  const end = options.ends ? args.findIndex((field) => fieldText(field) === "--") : -1;
  return (end < 0 ? args : args.slice(0, end)).some((field) => isRunning(field, options));
}

function isRunning(field: Field, options: RunningOptions): boolean {
  const start = fieldStart(field);
  if (options.word?.test(start)) return true;
  if (options.short && new RegExp(`^-[a-zA-Z0-9]*[${options.short}]`).test(start)) return true;
  const dashes = options.single ? /^(?:--|-(?=\w\w))([a-zA-Z][\w-]*)/ : /^--([a-zA-Z][\w-]*)/;
  const name = dashes.exec(start)?.[1];
  if (name === undefined || options.harmless?.split(" ").includes(name)) return false;
  const known = options.long?.split(" ") ?? [];
  return known.some((option) => (options.exact ? option === name : option.startsWith(name)));
}

/** The first word of `tar` may be letters without a dash. */
function runsInOldStyle(first: Field | undefined): boolean {
  return first !== undefined && /^[a-zA-Z]*[IF]/.test(fieldStart(first));
}
