import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import * as z from "zod";
import { AbortedError, neverAborted } from "../../base/abort.ts";
import { systemClock } from "../../base/clock.ts";
import type { Tool, ToolOutput } from "../types.ts";
import { COMMAND_MARK, type CommandGuard } from "./commandGuard.ts";
import { createCommandOutput, MAX_OUTPUT_BYTES, outputFolder } from "./commandOutput.ts";
import { failTool } from "./filePaths.ts";
import { findBash, NO_BASH } from "./findBash.ts";
import { endGroup, findMarked, groupLives, killAll, type Leftover } from "./processGroup.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;
/** How long output is waited for after the command itself has ended: a child may hold the pipe for ever. */
const DRAIN_MS = 200;

const inputSchema = z.strictObject({
  command: z.string().min(1).describe("The command line for bash."),
  timeout: z.optional(
    z
      .int()
      .min(1)
      .max(MAX_TIMEOUT_MS)
      .describe(`After how many milliseconds the command is ended; ${DEFAULT_TIMEOUT_MS} where nothing is said.`),
  ),
  description: z.optional(z.string().describe("What the command is for, in five to ten words; the person reads it.")),
});
type BashInput = z.infer<typeof inputSchema>;

const description = `Runs a command line in bash and gives its output, and its exit code where that is not 0.
- Every call starts anew in the working folder: a cd, a variable or an alias of an earlier call is gone. Join what belongs together with && in one call, and put paths with blanks in quotes.
- There is no keyboard and no terminal: a command that asks questions fails. Give it its options (--yes, -m "message").
- The time limit is two minutes; ask for up to ten (timeout: ${MAX_TIMEOUT_MS}) where a build or a test suite needs them.
- What is still running when the command ends is ended with it. To try a server, start it with & and use it in the same call.
- Of a long output you get the beginning and the end, and the name of a file with all of it.
- To read, write, change or find files use Read, Write, Edit, Glob and Grep: they are safer and their results are shorter.`;

/**
 * Nothing may wait for an answer, open a pager or an editor, or take start-up files from the environment; on Windows, the
 * current folder is no place for programs.
 */
const FIXED_ENV: Readonly<Record<string, string>> = {
  AWS_PAGER: "",
  CI: "1",
  DEBIAN_FRONTEND: "noninteractive",
  GH_PAGER: "cat",
  GIT_ASKPASS: "/bin/false",
  GIT_EDITOR: "true",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  MANPAGER: "cat",
  NoDefaultCurrentDirectoryInExePath: "1",
  PAGER: "cat",
  SSH_ASKPASS: "/bin/false",
  SYSTEMD_PAGER: "cat",
};

/** The tool Bash; a call where there is no bash says so. */
export function runCommandTool(environment: ToolEnvironment): Tool<BashInput> {
  const { guard } = environment;
  const member = `${guard?.id ?? "unguarded"}.${randomUUID()}`;
  const folder = outputFolder(environment.outputFolder, environment.lifetime, (own) => guard?.keep(own));
  environment.lifetime?.addEventListener("abort", () => void endLeftovers(member), { once: true });
  return {
    name: "Bash",
    description,
    inputSchema,
    parallel: false,
    async run(input, { signal, toolUseId }) {
      const bash = await findBash(environment, process.platform);
      if (bash === undefined) failTool(NO_BASH[process.platform === "win32" ? "win32" : "posix"]);
      const command: Command = {
        bash,
        line: input.command,
        mark: `${COMMAND_MARK}=${member}.${randomUUID()}`,
        environment,
      };
      const ended = await environment.onCommand?.(toolUseId);
      try {
        return await runCommand(command, input.timeout ?? DEFAULT_TIMEOUT_MS, folder, signal);
      } finally {
        await ended?.();
      }
    },
  };
}

async function endLeftovers(member: string): Promise<void> {
  killAll(await findMarked(`${COMMAND_MARK}=${member}.`, undefined));
}

interface Command {
  bash: string;
  line: string;
  mark: string;
  environment: ToolEnvironment;
}

type Ending =
  | { kind: "exited"; code: number | null; signal: NodeJS.Signals | null }
  | { kind: "timeout" }
  | { kind: "too much output" }
  | { kind: "aborted" };

async function runCommand(
  command: Command,
  timeoutMs: number,
  folder: () => Promise<string>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const child = start(command);
  const { guard } = command.environment;
  if (child.pid !== undefined) guard?.watch(child.pid);
  const output = createCommandOutput(folder);
  const stop = Promise.withResolvers<Ending>();
  const exited = new Promise<Ending>((resolve) =>
    child.once("exit", (code, by) => resolve({ kind: "exited", code, signal: by })),
  );
  const failed = new Promise<Ending>((_, reject) => child.once("error", reject));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => output.add(name, chunk) || stop.resolve({ kind: "too much output" }));
  const onAbort = () => stop.resolve({ kind: "aborted" });
  signal.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(() => stop.resolve({ kind: "timeout" }), timeoutMs);
  try {
    if (signal.aborted) onAbort();
    const ending = await Promise.race([exited, failed, stop.promise]).catch((error: Error) =>
      failTool(`The command cannot be started in ${command.environment.cwd}: ${error.message}`),
    );
    const left = await endProcesses(child, command.mark, ending, guard);
    await Promise.race([closed, systemClock.sleep(DRAIN_MS, neverAborted)]);
    if (ending.kind === "aborted") throw new AbortedError();
    return describeEnding(ending, timeoutMs, left, await output.finish());
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function start({ bash, line, mark, environment }: Command): ChildProcess {
  const [name = "", value = ""] = mark.split("=");
  const inherited = Object.entries(environment.env).filter(
    ([key]) => !/^(BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS)$/.test(key),
  );
  return spawn(bash, ["--noprofile", "--norc", "-c", line], {
    cwd: environment.cwd,
    detached: process.platform !== "win32",
    env: { ...Object.fromEntries(inherited), ...FIXED_ENV, [name]: value },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
}

interface Left {
  ended: boolean;
  running: readonly Leftover[];
}

/**
 * Ends what is left of a command. One that was stopped is waited for; behind one that ended by itself, its children
 * are ended without waiting, and those that left its group on purpose run on until the member goes.
 */
async function endProcesses(
  child: ChildProcess,
  mark: string,
  ending: Ending,
  guard: CommandGuard | undefined,
): Promise<Left> {
  const group = child.pid;
  if (group === undefined) return { ended: false, running: [] };
  const release = () => guard?.release(group);
  if (ending.kind !== "exited") {
    await Promise.all([endGroup(group).then(release), findMarked(mark, group).then(killAll)]);
    return { ended: true, running: [] };
  }
  const ended = groupLives(group);
  if (ended) void endGroup(group).then(release);
  else release();
  return { ended, running: await findMarked(mark, group) };
}

function describeEnding(ending: Ending, timeoutMs: number, left: Left, text: string): ToolOutput {
  const failure = failureOf(ending, timeoutMs);
  const notes: string[] = [];
  if (ending.kind === "exited" && left.ended)
    notes.push("(Processes that the command left in the background were ended.)");
  for (const { pid, command } of left.running) notes.push(`(Process ${pid} runs on: ${command.slice(0, 200)})`);
  const content = [failure, text, ...notes].filter((part) => part !== "").join("\n") || "(no output)";
  return failure === "" ? { content } : { content, isError: true };
}

/** Empty: the command succeeded. */
function failureOf(ending: Ending, timeoutMs: number): string {
  switch (ending.kind) {
    case "timeout":
      return `The command was ended after ${timeoutMs / 1000} seconds.`;
    case "too much output":
      return `The command was ended because it wrote more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB. Send long output to a file.`;
    case "aborted":
      return "The command was interrupted.";
    case "exited":
      if (ending.signal) return `The command was ended by ${ending.signal}.`;
      return ending.code === 0 ? "" : `Exit code ${ending.code}`;
  }
}
