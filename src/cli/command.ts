import type * as z from "zod";
import type { CliContext } from "./context.ts";

/** An option without a value. */
export interface FlagOption {
  kind: "flag";
  help: string;
}

/** An option with a value: `schema` reads the text as it was typed. One without `help` is known and not offered. */
export interface ValueOption<T> {
  kind: "value";
  placeholder: string;
  help: string | null;
  schema: z.ZodType<T, string>;
}

/** What may stand behind `--` in a command. */
export type Option = FlagOption | ValueOption<unknown>;
/** Options by their names, without the dashes. */
export type Options = Readonly<Record<string, Option>>;

type Bare<A extends string> = A extends `[${infer Name}]` ? Name : A;
type ArgumentValue<A extends string> = A extends `[${string}]` ? string | undefined : string;
type OptionValue<O> = O extends ValueOption<infer T> ? T | undefined : boolean;

/** What a command is called with: arguments by their name, options by theirs. */
export interface Call<A extends readonly string[], O extends Options> {
  args: { [K in A[number] as Bare<K>]: ArgumentValue<K> };
  options: { [K in keyof O]: OptionValue<O[K]> };
}

/** A call as the parser makes it: exactly the arguments and options that the command names. */
export interface ParsedCall {
  args: Record<string, string | undefined>;
  options: Record<string, unknown>;
}

/**
 * A command of the table. `name` is one word or two (`task create`); an argument in brackets may be left out; `notes` is
 * shown by `--help`. `usage`: what stands behind the name in its usage line where that is not just the arguments, since
 * options are needed too. `json` false: it shows something that is no value, so it has no `--json`.
 */
export interface Command {
  name: string;
  args: readonly string[];
  usage?: string;
  summary: string;
  notes?: string;
  json?: false;
  options: Options;
  /** Resolves to the exit code. */
  run(call: ParsedCall, context: CliContext): Promise<number>;
}

/** Defines a command so that `run` knows its arguments and options by type. */
export function defineCommand<const A extends readonly string[], const O extends Options>(
  definition: Omit<Command, "args" | "options" | "run"> & {
    args: A;
    options: O;
    run(call: Call<A, O>, context: CliContext): Promise<number>;
  },
): Command {
  return { ...definition, run: (call, context) => definition.run(call as unknown as Call<A, O>, context) };
}

/** All options of a command: those that every command takes, and its own. */
export function optionsOf(command: Pick<Command, "options" | "json">, common: Options): Options {
  return { ...commonOptionsOf(command, common), ...command.options };
}

/** Those of every command which this one takes, but for those of which it says itself what they mean. */
export function commonOptionsOf({ json, options }: Pick<Command, "json" | "options">, common: Options): Options {
  const isTaken = ([name]: [string, Option]) => !(name === "json" && json === false) && !Object.hasOwn(options, name);
  return Object.fromEntries(Object.entries(common).filter(isTaken));
}

/** What stands behind `muster` in a command's usage line and in the list of commands: `task claim TEAM ID|--next --as NAME`. */
export function calledAs({ name, args, usage }: Pick<Command, "name" | "args" | "usage">): string {
  return [name, usage ?? args.join(" ")].filter((part) => part !== "").join(" ");
}

/** An option without a value. */
export function flag(help: string): FlagOption {
  return { kind: "flag", help };
}

/** An option whose value `schema` reads; the schema's own message follows "--option VALUE: ". */
export function value<T>(placeholder: string, help: string | null, schema: z.ZodType<T, string>): ValueOption<T> {
  return { kind: "value", placeholder, help, schema };
}
