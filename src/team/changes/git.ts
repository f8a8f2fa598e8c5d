import { spawn } from "node:child_process";
import { findProgram } from "../../agent/tools/findProgram.ts";
import { errorCode } from "../../base/errors.ts";

/** Runs git for its output. Rejects with its first words where it fails. */
export type Git = (args: readonly string[], options?: GitOptions) => Promise<Buffer>;

export interface GitOptions {
  input?: string | Uint8Array;
  /** Another index than the repository's own. */
  index?: string;
  /** Called where git did what it was to do, and had something to say about it. */
  warned?: () => void;
}

/**
 * Git in a folder of a repository, for plumbing only: no hook, monitor, filter, prompt or signature runs. Null: there is no
 * git, the folder is in no repository, or its repository ignores it. Rejects where git cannot be started just now.
 */
export async function openGit(cwd: string, env: Readonly<Record<string, string>>): Promise<Git | null> {
  const program = await findProgram("git", [], env["PATH"], cwd);
  if (program === undefined) return null;
  const git: Git = (args, options = {}) => run(program, [...QUIET, ...args], { cwd, env, ...options });
  try {
    const inside = (await git(["rev-parse", "--is-inside-work-tree"])).toString().trim();
    if (inside !== "true") return null;
  } catch (error) {
    const code = errorCode(error); // none: it ran, and said no
    if (code === undefined || ["ENOENT", "ENOTDIR"].includes(code)) return null;
    throw error;
  }
  const ignored = await git(["check-ignore", "-q", "."]).then(
    () => true,
    () => false,
  );
  return ignored ? null : git;
}

const QUIET = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"];

/** Who the record's commits are by: the person's own name is not needed for them. */
const IDENTITY = { NAME: "Muster", EMAIL: "muster@localhost" };

interface RunOptions extends GitOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
}

function run(program: string, args: readonly string[], options: RunOptions): Promise<Buffer> {
  const { cwd, env, input, index, warned } = options;
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("GIT_")));
  const child = spawn(program, args, {
    cwd,
    env: {
      ...clean,
      ...{ GIT_AUTHOR_NAME: IDENTITY.NAME, GIT_AUTHOR_EMAIL: IDENTITY.EMAIL },
      ...{ GIT_COMMITTER_NAME: IDENTITY.NAME, GIT_COMMITTER_EMAIL: IDENTITY.EMAIL },
      ...{ GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" },
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    },
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const out: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  child.stdin.on("error", () => {}); // git ended before it read all: its exit code tells
  child.stdin.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0 && said.length > 0) warned?.();
      if (code === 0) resolve(Buffer.concat(out));
      else
        reject(new Error(`git ${args[QUIET.length]} failed: ${Buffer.concat(said).toString().trim().slice(0, 300)}`));
    });
  });
}
