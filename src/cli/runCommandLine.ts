import * as z from "zod";
import { isMusterError } from "../base/errors.ts";
import type { Store } from "../store/store.ts";
import { homeFolder } from "../team/homeFolder.ts";
import type { CliIo } from "./cliIo.ts";
import { type Command, flag, type Options, type ParsedCall, value } from "./command.ts";
import { type CliContext, stateRoot } from "./context.ts";
import { EXIT } from "./exitCodes.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { faultNotes, openStore } from "./openStore.ts";
import { asksForJson, type Invocation, parseCommandLine } from "./parse.ts";
import { usableWidth } from "./render/table.ts";
import { reportError } from "./reportError.ts";
import { VERSION } from "./version.ts";

/** Options that every command takes. */
const COMMON_OPTIONS = {
  root: value("DIR", "state root; else $CLAUDE_CONFIG_DIR, else ~/.claude", z.string()),
  json: flag("one JSON value on standard output (run, demo, teammate: JSON Lines)"),
  help: flag("show this"),
  version: flag("show the version"),
} as const satisfies Options;

/** What a command line runs in. */
export interface CommandLineHost {
  io: CliIo;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** Runs one command line (without the program) and resolves to its exit code. Never rejects. */
export async function runCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
  host: CommandLineHost,
): Promise<number> {
  const { io, env } = host;
  try {
    const invocation = parseCommandLine(argv, commands, COMMON_OPTIONS);
    const exitCode = await runInvocation(invocation, commands, host, asksForJson(argv));
    await io.flush();
    if (io.outputFault) throw io.outputFault;
    return exitCode;
  } catch (error) {
    return reportError(error, io, { json: asksForJson(argv), debug: Boolean(env["MUSTER_DEBUG"]) });
  }
}

async function runInvocation(
  invocation: Invocation,
  commands: readonly Command[],
  host: CommandLineHost,
  json: boolean,
): Promise<number> {
  if (invocation.kind === "run") return runCommand(invocation.command, invocation.call, host);
  const { stdout } = host.io;
  const { kind } = invocation;
  const width = json ? Number.POSITIVE_INFINITY : usableWidth(stdout.columns);
  const text = kind === "version" ? VERSION : helpText(invocation, commands, width);
  stdout.write(`${json ? JSON.stringify({ [kind]: text }) : text}\n`);
  return EXIT.done;
}

function helpText(
  { command, group }: { command: Command | null; group: string | null },
  commands: readonly Command[],
  width: number,
) {
  return command ? helpOf(command, COMMON_OPTIONS, width) : helpOfAll(commands, COMMON_OPTIONS, group, width);
}

async function runCommand(command: Command, call: ParsedCall, host: CommandLineHost): Promise<number> {
  const home = host.env["HOME"] || homeFolder();
  const given = call.options["root"] as string | undefined;
  const root = stateRoot(given, host.env, host.cwd, home);
  const notes = faultNotes(host.io);
  let opened: Store | undefined;
  const context: CliContext = {
    ...host,
    ...{ home, root, notes, rootWasGiven: given !== undefined },
    json: call.options["json"] === true,
    store: () => {
      opened ??= openStore(root, { ...host, notes });
      return opened;
    },
  };
  try {
    const exitCode = await command.run(call, context);
    notes.show();
    return exitCode;
  } catch (error) {
    if (!isMusterError(error, "corrupt")) notes.show();
    throw error;
  } finally {
    await opened?.close();
  }
}
