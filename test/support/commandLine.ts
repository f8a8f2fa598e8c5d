import { Readable } from "node:stream";
import { Emitter } from "../../src/base/emitter.ts";
import type { CliIo, OutputStream } from "../../src/cli/cliIo.ts";
import { COMMANDS } from "../../src/cli/commandTable.ts";
import { runCommandLine } from "../../src/cli/runCommandLine.ts";

/** How a command line ended, and what it wrote. */
export interface CommandLineResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Where it runs: a terminal of so many columns (none: no terminal), and its input. */
export interface CommandLinePlace {
  columns?: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
}

/** Runs a command line in this process. */
export async function commandLine(argv: readonly string[], place: CommandLinePlace = {}): Promise<CommandLineResult> {
  const { columns, cwd = "/", env = { HOME: "/nowhere" }, input = "" } = place;
  const told = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof told): OutputStream => ({
    ...{ isTerminal: columns !== undefined, columns, colors: false },
    write: (text) => {
      told[name] += text;
    },
  });
  const io: CliIo = {
    ...{ stdin: Readable.from([input]), stdinIsTerminal: false, stdout: stream("stdout"), stderr: stream("stderr") },
    ...{ onOutputClosed: new Emitter<void>().event, outputFault: null },
    ...{ readInput: async () => input, flush: async () => {} },
  };
  return { code: await runCommandLine(argv, COMMANDS, { io, env, cwd }), ...told };
}
