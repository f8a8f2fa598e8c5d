import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { InstalledHost } from "./installHost.ts";
import { freePort } from "./ports.ts";

/** Where a served VS Code keeps its things; `folder` holds its log and configuration. */
export interface Profile {
  folder: string;
  userData: string;
  extensions: string;
}

/** A VS Code that is being served on loopback. */
export interface CodeServer {
  origin: string;
  port: number;
  pid: number;
  logFile: string;
  /** Resolves with the exit code when the server has ended, whoever ended it. */
  exited: Promise<number | null>;
  /** Ends the server and all that it started. */
  stop(): Promise<void>;
}

/** Address that opens `folder` in the served VS Code. */
export function folderUrl(server: CodeServer, folder: string): string {
  return `${server.origin}/?${new URLSearchParams({ folder })}`;
}

/** Makes the folders of a profile, and its settings unless it has some. */
export function createProfile(folder: string, settings: Record<string, unknown>): Profile {
  const profile = { folder, userData: path.join(folder, "user-data"), extensions: path.join(folder, "extensions") };
  mkdirSync(path.join(profile.userData, "User"), { recursive: true });
  mkdirSync(profile.extensions, { recursive: true });
  writeFileSync(path.join(folder, "config.yaml"), "cert: false\n");
  const settingsFile = path.join(profile.userData, "User/settings.json");
  if (!existsSync(settingsFile)) writeFileSync(settingsFile, `${JSON.stringify(settings, null, 2)}\n`);
  return profile;
}

/** Installs a .vsix into the profile. @throws Error with what the server printed. */
export async function installVsix(host: InstalledHost, profile: Profile, vsix: string, env: NodeJS.ProcessEnv) {
  const args = [host.entry, ...profileArgs(profile), "--install-extension", vsix, "--force"];
  const child = spawn(host.node, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`${path.basename(vsix)} could not be installed: ${output.join("").trim()}`);
}

/**
 * Serves VS Code on `port` of loopback, or on any that is free, and waits until it answers. It leads a process group of
 * its own.
 * @throws Error when it ends or does not answer within a minute.
 */
export async function serve(
  host: InstalledHost,
  profile: Profile,
  options: { cwd: string; env: NodeJS.ProcessEnv; trustEverything: boolean; port?: number },
): Promise<CodeServer> {
  const port = options.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"];
  const args = [
    "--bind-addr",
    `127.0.0.1:${port}`,
    "--auth",
    "none",
    "--disable-proxy",
    "--ignore-last-opened",
    ...quiet,
  ];
  if (options.trustEverything) args.push("--disable-workspace-trust");
  const child = spawn(host.node, [host.entry, ...profileArgs(profile), ...args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const logFile = path.join(profile.folder, "server.log");
  const log = createWriteStream(logFile);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = () => stopGroup(child, exited);
  try {
    await untilHealthy(origin, child);
  } catch (error) {
    await stop();
    throw new Error(`VS Code for the browser did not start; its log is ${logFile}`, { cause: error });
  }
  return { origin, port, pid: child.pid ?? 0, logFile, exited, stop };
}

function profileArgs({ folder, userData, extensions }: Profile): string[] {
  return ["--config", path.join(folder, "config.yaml"), "--user-data-dir", userData, "--extensions-dir", extensions];
}

async function untilHealthy(origin: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined); // not listening yet
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error("it did not answer within a minute");
}

async function stopGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  signalGroup(child, "SIGTERM");
  await Promise.race([exited, sleep(5000, undefined, { ref: false })]);
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!child.pid) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // ESRCH: the whole group is gone
  }
}
