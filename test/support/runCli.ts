import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** A home, a state root and a project folder of one test. */
export interface CliHome {
  readonly dir: string;
  readonly home: string;
  readonly root: string;
  readonly project: string;
  /** A clean environment with this home and nothing of the machine's own but PATH. */
  readonly env: Record<string, string>;
  remove(): void;
}

/** How a command line ended, and all that it wrote. */
export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Standard output as one JSON value. */
  json(): unknown;
  /** Standard output as JSON Lines. */
  lines(): unknown[];
}

/** What a call has beside its arguments: more variables, another folder than the project, its standard input. */
export interface CliOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
}

/** Makes the folders of a test. */
export function cliHome(): CliHome {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "muster-test-")));
  const [home, project, tmp] = ["home", "project", "tmp"].map((name) => path.join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, tmp]) mkdirSync(folder);
  return {
    dir,
    home,
    project,
    root: path.join(home, ".claude"),
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: tmp, LANG: "C.UTF-8" },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A test that runs out of time leaves nothing behind. */
const living = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/** Starts the command line as a process of its own. */
export function startCli(file: string, home: CliHome, args: readonly string[], options: CliOptions = {}): RunningCli {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: options.cwd ?? home.project,
    env: { ...home.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  living.add(child);
  child.on("close", () => living.delete(child));
  return new RunningCli(child);
}

/** Runs the command line to its end. */
export async function runCli(
  file: string,
  home: CliHome,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const running = startCli(file, home, args, options);
  running.endInput(options.input ?? "");
  return running.result();
}

/** A command line that runs. */
export class RunningCli {
  readonly child: ChildProcess;
  private stdout = "";
  private stderr = "";
  private readonly closed: Promise<unknown[]>;

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      this.stdout += chunk;
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      this.stderr += chunk;
    });
    child.stdin?.on("error", () => {}); // it may be gone before it has read everything
    this.closed = once(child, "close");
  }

  /** Calls `handle` for every line of standard output. */
  onLine(handle: (line: string) => void): void {
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on("line", handle);
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  endInput(text = ""): void {
    this.child.stdin?.end(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Standard error so far. */
  get errors(): string {
    return this.stderr;
  }

  async result(): Promise<CliResult> {
    const [code, signal] = (await this.closed) as [number | null, NodeJS.Signals | null];
    const { stdout, stderr } = this;
    return {
      ...{ code, signal, stdout, stderr },
      json: () => JSON.parse(stdout),
      lines: () => stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)])),
    };
  }
}
