import { processIo } from "./cliIo.ts";
import { COMMANDS } from "./commandTable.ts";
import { runCommandLine } from "./runCommandLine.ts";

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runProgram(): Promise<never> {
  const io = processIo(process.env);
  const exitCode = await runCommandLine(process.argv.slice(2), COMMANDS, { io, env: process.env, cwd: process.cwd() });
  await io.flush();
  process.exit(exitCode);
}
