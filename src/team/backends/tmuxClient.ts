import { execFile } from "node:child_process";
import { findProgram } from "../../agent/tools/findProgram.ts";
import { errorCode, MusterError } from "../../base/errors.ts";
import { checkMessageSize, commandLine, type TmuxCommand } from "./tmuxArguments.ts";

/** A server that hangs is not waited for longer. */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** `no current target`: the server has no session yet. */
const GONE =
  /^(can't find |no such session|no current target|no sessions|no server running|error connecting|server exited|lost server)/;

/** What tmux said when it refused a command, or when a hook of the person's failed behind one that was carried out. */
export class TmuxRefusal extends Error {
  /** What the commands printed all the same. */
  readonly printed: string;

  constructor(said: string, printed = "") {
    super(said.trim().split("\n")[0] ?? "");
    this.name = "TmuxRefusal";
    this.printed = printed;
  }

  /** Whether the pane, session or server that was asked for does not exist. */
  get isGone(): boolean {
    return GONE.test(this.message);
  }

  get isFull(): boolean {
    return /no space for (a )?new pane|pane too small/.test(this.message);
  }
}

/** One tmux server. */
export interface TmuxClient {
  /** The program and what names the server: the beginning of each command line. */
  readonly program: readonly string[];
  /** The program `env`. */
  readonly env: string;
  /** The variables that a server has which this client starts. */
  readonly serverEnvironment: readonly string[];
  /**
   * Runs commands one after another, up to the first that fails; gives what they print. Panes that they make start in
   * `cwd` and look for programs in `searchPath`: tmux takes both from its client. Rejects with TmuxRefusal; with
   * MusterError `not_ready` where tmux cannot be asked.
   */
  run(commands: readonly TmuxCommand[], from?: { cwd: string; searchPath: string | undefined }): Promise<string>;
}

/** What a client needs: its host's environment, and the folder whose programs it does not run. */
export interface TmuxClientOptions {
  env: NodeJS.ProcessEnv;
  project: string;
  /** `-S path`, or `-L name -f /dev/null`. */
  server: readonly string[];
}

/** Finds tmux. Rejects with `not_ready` where it is not installed. */
export async function openTmux({ env, project, server }: TmuxClientOptions): Promise<TmuxClient> {
  const tmux = await findProgram("tmux", [], env["PATH"], project);
  if (tmux === undefined) {
    throw new MusterError(
      "not_ready",
      "tmux is not installed: install it (`apt install tmux`, `brew install tmux`), or run teammates elsewhere.",
    );
  }
  const envProgram = await findProgram("env", ["/usr/bin/env", "/bin/env"], env["PATH"], project);
  if (envProgram === undefined) throw new MusterError("not_ready", "The program env is missing: look at PATH.");
  const program = [tmux, "-u", ...server];
  const kept = clientEnvironment(env);
  return {
    program,
    env: envProgram,
    serverEnvironment: ["PATH", ...Object.keys(kept)],
    run(commands, from) {
      const line = commandLine(commands);
      checkMessageSize(line);
      const searchPath = from ? from.searchPath : env["PATH"];
      const own = searchPath === undefined ? kept : { ...kept, PATH: searchPath };
      return runTmux(tmux, [...program.slice(1), ...line], { cwd: from?.cwd ?? "/", env: own });
    },
  };
}

/** What a tmux client needs, and a server that it starts: the person's name and places, no key. */
function clientEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    KEPT.test(name) && value ? [[name, value] as const] : [],
  );
  return Object.fromEntries(kept);
}

const KEPT = /^(HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TERM|TMUX_TMPDIR)$/;

function runTmux(tmux: string, args: string[], at: { cwd: string; env: Record<string, string> }): Promise<string> {
  return new Promise((resolve, reject) => {
    // PWD: a client tells its server of a folder by that name of it.
    const options = { cwd: at.cwd, env: { ...at.env, PWD: at.cwd }, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(tmux, args, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(failure(error, { stdout, stderr }, at.cwd));
    });
  });
}

function failure(
  error: Error & { killed?: boolean },
  { stdout, stderr }: { stdout: string; stderr: string },
  cwd: string,
): Error {
  const code = errorCode(error);
  if (error.killed) {
    return new MusterError("not_ready", "tmux does not answer: look whether its server hangs.", { cause: error });
  }
  // That tmux is there was seen: what is missing is the folder.
  if (code === "ENOENT" || code === "ENOTDIR" || code === "EACCES") {
    return new MusterError("not_ready", `The folder ${cwd} cannot be entered: look whether it is there.`, {
      cause: error,
    });
  }
  return code === undefined || stderr ? new TmuxRefusal(stderr || error.message, stdout) : error;
}
