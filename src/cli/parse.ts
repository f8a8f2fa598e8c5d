import { parseArgs } from "node:util";
import { type Command, calledAs, type Option, type Options, optionsOf, type ParsedCall } from "./command.ts";
import { didYouMean, usageError } from "./usageError.ts";

/** What a command line asks for. */
export type Invocation =
  | { kind: "version" }
  /** `command` null: help for all of them; a first word of two (`task`) lists those that begin with it. */
  | { kind: "help"; command: Command | null; group: string | null }
  | { kind: "run"; command: Command; call: ParsedCall };

/**
 * Reads a command line (without the program): options anywhere, `--x V` or `--x=V`, `--` ends them. Throws `usage` with
 * a sentence that names what is wrong.
 */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[], common: Options): Invocation {
  const every = Object.assign({}, common, ...commands.map((command) => command.options)) as Options;
  const tokens = readTokens(argv, every, (typed, words) => {
    const { command } = findCommand(words, commands);
    return unknownOption(typed, command, command ? optionsOf(command, common) : every);
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "version")) return { kind: "version" };
  const words = tokens.flatMap((token) => (token.kind === "word" ? [token.value] : []));
  if (words[0] === "help") return helpFor(words.slice(1), commands);
  const wantsHelp = tokens.some((token) => token.kind === "option" && token.name === "help");
  if (wantsHelp) return helpFor(words, commands);
  const found = findCommand(words, commands);
  if (!found.command) throw unknownCommand(words, commands);
  const known = optionsOf(found.command, common);
  const call = {
    args: readArguments(found.command, words.slice(found.length)),
    options: readOptions(found.command, tokens, known),
  };
  return { kind: "run", command: found.command, call };
}

/** `muster help`, `muster help COMMAND`, `muster COMMAND … --help`. Throws `usage` for a command that is none. */
function helpFor(words: readonly string[], commands: readonly Command[]): Invocation {
  const { command, group } = findCommand(words, commands);
  const named = words.length > 0 && words[0] !== "help";
  if (named && !command && (group === null || words.length > 1)) throw unknownCommand(words, commands);
  return { kind: "help", command, group };
}

/** Whether `--json` stands among the options, however wrong the rest may be. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}

type Token =
  | { kind: "word"; value: string }
  | { kind: "option"; name: string; typed: string; value: string | undefined };

/**
 * Splits into words and options. Whether an option takes a value is known from all commands, as the command's own may follow.
 * `unknown` makes the error of an option that no command has from how it was typed and all the words.
 */
function readTokens(
  argv: readonly string[],
  every: Options,
  unknown: (typed: string, words: readonly string[]) => Error,
): Token[] {
  const options = Object.fromEntries(
    Object.entries(every).map(([name, option]) => [
      name,
      option.kind === "flag" ? { type: "boolean" as const } : { type: "string" as const },
    ]),
  );
  if (options["help"]) Object.assign(options["help"], { short: "h" }); // typed by habit
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const words = tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []));
  return tokens.flatMap((token): Token[] => {
    if (token.kind === "positional") return [{ kind: "word", value: token.value }];
    if (token.kind === "option-terminator") return [];
    const typed = (argv[token.index] ?? token.rawName).split("=", 1)[0] ?? token.rawName;
    const isShort = !token.rawName.startsWith("--") && typed !== "-h";
    if (isShort || !Object.hasOwn(every, token.name)) throw unknown(typed, words);
    return [
      { kind: "option", name: token.name, typed, value: optionText(token.value, token.inlineValue, typed, every) },
    ];
  });
}

/** The text after an option; a following word that is itself an option is not one. */
function optionText(given: string | undefined, inline: boolean | undefined, typed: string, every: Options) {
  if (given === undefined || inline) return given;
  const name = /^--([^=]+)/.exec(given)?.[1];
  if (name !== undefined && Object.hasOwn(every, name)) throw usageError(`${typed} needs a value before ${given}.`);
  return given;
}

function offered(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { help }]) => (help === null ? [] : [name]));
}

function findCommand(words: readonly string[], commands: readonly Command[]) {
  const [first = "", second = ""] = words;
  const two = commands.find((command) => command.name === `${first} ${second}`);
  if (two) return { command: two, group: null, length: 2 };
  const one = commands.find((command) => command.name === first);
  const isGroup = commands.some((command) => command.name.startsWith(`${first} `));
  return { command: one ?? null, group: isGroup ? first : null, length: 1 };
}

function unknownCommand(words: readonly string[], commands: readonly Command[]) {
  const [first, second] = words;
  if (first === undefined) return usageError("A command is missing. `muster --help` lists them.");
  const inGroup = commands.filter((command) => command.name.startsWith(`${first} `)).map((command) => command.name);
  if (inGroup.length > 0) {
    const offered = inGroup.map((name) => name.split(" ")[1]).join(", ");
    if (second === undefined) return usageError(`\`muster ${first}\` needs one of: ${offered}.`);
    const hint = didYouMean(`${first} ${second}`, inGroup);
    return usageError(`Unknown command: ${first} ${second}.${hint} \`muster ${first}\` has ${offered}.`);
  }
  const names = ["help", ...commands.map((command) => command.name.split(" ")[0] ?? "")];
  return usageError(`Unknown command: ${first}.${didYouMean(first, names)} \`muster --help\` lists them.`);
}

/** `command` null: none was named; `options`: those that could have been meant. */
function unknownOption(typed: string, command: Command | null, options: Options) {
  const names = offered(options).map((name) => `--${name}`);
  const hint = letterHint(typed, names) || didYouMean(typed, names);
  if (hint !== "") return usageError(`Unknown option: ${typed}.${hint}`);
  const advice = typed.startsWith("--") ? whereOptionsAre(command) : "Put -- before text that begins with a dash.";
  return usageError(`Unknown option: ${typed}. ${advice}`);
}

/** Options have no letters here: ` Did you mean --version?` for -v, where one alone begins so. */
function letterHint(typed: string, names: readonly string[]): string {
  if (!/^-[a-z]$/i.test(typed)) return "";
  const [name, ...others] = names.filter((one) => one.startsWith(`-${typed.toLowerCase()}`));
  return name === undefined || others.length > 0 ? "" : ` Did you mean ${name}?`;
}

function whereOptionsAre(command: Command | null): string {
  return command
    ? `\`muster ${command.name} --help\` lists its options.`
    : "`muster help COMMAND` lists a command's options.";
}

function readArguments(command: Command, words: readonly string[]): Record<string, string | undefined> {
  const needed = command.args.filter((name) => !name.startsWith("["));
  const missing = needed[words.length];
  if (missing !== undefined) throw usageError(`${missing} is missing: ${usageLine(command)}`);
  const extra = words[command.args.length];
  if (extra !== undefined) {
    const hint = command.args.length === 0 ? "It takes options only" : "Put text with blanks into quotes";
    throw usageError(`Unexpected argument: ${JSON.stringify(extra)}. ${hint}: ${usageLine(command)}`);
  }
  return Object.fromEntries(command.args.map((name, index) => [name.replace(/^\[|\]$/g, ""), words[index]]));
}

function readOptions(command: Command, tokens: readonly Token[], known: Options): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(known)) if (option.kind === "flag") read[name] = false;
  for (const token of tokens) {
    if (token.kind === "word") continue;
    const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
    if (!option)
      throw usageError(`\`muster ${command.name}\` does not know ${token.typed}. ${whereOptionsAre(command)}`);
    read[token.name] = readOption(token, option);
  }
  return read;
}

function readOption(token: Extract<Token, { kind: "option" }>, option: Option): unknown {
  if (option.kind === "flag") {
    if (token.value !== undefined) throw usageError(`${token.typed} takes no value.`);
    return true;
  }
  if (token.value === undefined)
    throw usageError(`${token.typed} needs a value: ${token.typed} ${option.placeholder}.`);
  const parsed = option.schema.safeParse(token.value);
  if (parsed.success) return parsed.data;
  throw usageError(
    `${token.typed} ${JSON.stringify(token.value)}: ${parsed.error.issues[0]?.message ?? "not understood"}.`,
  );
}

/** `muster task claim TEAM ID|--next --as NAME [OPTION…]` */
export function usageLine(command: Pick<Command, "name" | "args" | "usage">): string {
  return `muster ${calledAs(command)} [OPTION…]`;
}
