import path from "node:path";
import { findProgram } from "./findProgram.ts";
import type { ToolEnvironment } from "./toolEnvironment.ts";

/** What a call of Bash says where there is none. */
export const NO_BASH = {
  posix: "There is no bash on PATH, so no command can be run.",
  win32: "There is no Git Bash, so no command can be run: install Git for Windows.",
} as const;

/** Where Git for Windows is installed: for everybody, for everybody as a 32-bit program, for one person. */
const GIT_FOLDERS = [
  ["ProgramFiles", "Git"],
  ["ProgramFiles(x86)", "Git"],
  ["LOCALAPPDATA", "Programs", "Git"],
] as const;

/**
 * The bash of this machine, absolute; undefined where there is none. It is looked for on PATH, then in its usual places,
 * and never inside the project. On Windows it is that of Git only: `bash.exe` on PATH is mostly that of WSL, for which
 * paths mean other files than those that were judged.
 */
export function findBash(
  { env, cwd }: Pick<ToolEnvironment, "env" | "cwd">,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  if (platform === "win32") return findProgram("bash", gitBashes(env), undefined, cwd);
  const usual = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
  return findProgram("bash", [], env["PATH"], cwd).then((found) => found ?? findProgram("bash", usual, undefined, cwd));
}

/** Names of variables count in any case there. */
function gitBashes(env: Readonly<Record<string, string>>): string[] {
  const values = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
  return GIT_FOLDERS.flatMap(([variable, ...below]) => {
    const folder = values.get(variable.toUpperCase());
    return folder ? [path.join(folder, ...below, "bin", "bash.exe")] : [];
  });
}
