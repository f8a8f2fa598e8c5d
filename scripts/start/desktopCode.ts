import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { findProgram } from "../programs.ts";

/** A desktop VS Code that can be started here, or why there is none. */
export type DesktopCode = { command: string } | { obstacle: string };

/** Marks of a shell whose `code` opens a window somewhere else; each says where. */
const ELSEWHERE: readonly [variable: string, where: string][] = [
  ["VSCODE_IPC_HOOK_CLI", "this is a terminal of a remote or served VS Code"],
  ["CODESPACES", "this is a codespace"],
  ["REMOTE_CONTAINERS", "this is a dev container"],
  ["WSL_DISTRO_NAME", "this is WSL"],
  ["WSL_INTEROP", "this is WSL"],
  ["SSH_CONNECTION", "this is an SSH session"],
  ["SSH_TTY", "this is an SSH session"],
];

/**
 * Finds the desktop's `code`, and not one that only talks to a VS Code on another machine.
 * @param oldest oldest version that will do, such as `1.139.1`
 */
export function findDesktopCode(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, oldest: string): DesktopCode {
  const command = findProgram("code", env);
  if (!command) return { obstacle: "there is no `code` on PATH" };
  const elsewhere = ELSEWHERE.find(([variable]) => env[variable]);
  if (elsewhere) return { obstacle: `${elsewhere[1]}, and its \`code\` opens no window here` };
  if (/[\\/](remote-cli|\.vscode-server[^\\/]*|\.vscode-remote|code-server)[\\/]/.test(realpathSync(command)))
    return { obstacle: "`code` on PATH belongs to a remote VS Code" };
  if (platform === "linux" && !env["DISPLAY"] && !env["WAYLAND_DISPLAY"])
    return { obstacle: "there is no display to open a window on" };
  const version = versionOf(command, env, platform);
  if (!version) return { obstacle: "`code --version` gives no version" };
  if (compareVersions(version, oldest) < 0)
    return { obstacle: `VS Code ${version} is too old: ${oldest} or newer is needed` };
  return { command };
}

/** Starts `command` with arguments that a shell may have to be kept from reading (`code` is a script on Windows). */
export function shellSafe(command: string, args: readonly string[], platform: NodeJS.Platform) {
  if (platform !== "win32") return { command, args: [...args], shell: false };
  return { command: `"${command}"`, args: args.map((argument) => `"${argument}"`), shell: true };
}

function versionOf(command: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const safe = shellSafe(command, ["--version"], platform);
  const options = { env, encoding: "utf8", timeout: 20_000, shell: safe.shell } as const;
  const [first = ""] = (spawnSync(safe.command, safe.args, options).stdout ?? "").split("\n");
  return /^\d+\.\d+\.\d+/.exec(first.trim())?.[0];
}

/** Below 0 when `a` is older than `b`; both like `1.139.1`. */
function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
