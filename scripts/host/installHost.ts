import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { findProgram } from "../programs.ts";
import { plainEnvironment } from "./environment.ts";

/** code-server 4.139.1 is VS Code 1.139.1; its extension host runs in this Node. */
const CODE_SERVER = "4.139.1";
const NODE = "24.21.0";
const STAMP = `code-server ${CODE_SERVER}, Node ${NODE}`;
const MEGABYTES = 750;

/** An installed VS Code that serves itself to a browser. */
export interface InstalledHost {
  /** The Node that it runs in. */
  node: string;
  /** The script that starts it. */
  entry: string;
}

/** Folder for what outlives a run and may be deleted at any time: `$XDG_CACHE_HOME/muster` or `~/.cache/muster`. */
export function cacheFolder(): string {
  return path.join(process.env["XDG_CACHE_HOME"] || path.join(homedir(), ".cache"), "muster");
}

/**
 * Installs the VS Code for the browser from npm, unless it is there: one to a few minutes, once for the machine. Prints
 * size and folder first. `$MUSTER_HOST_DIR` names another folder.
 * @throws Error with one sentence when the platform or a program it needs is missing, or npm fails.
 */
export function installHost(): InstalledHost {
  const folder = path.resolve(process.env["MUSTER_HOST_DIR"] || path.join(cacheFolder(), "host"));
  if (stampOf(folder) !== STAMP) {
    requireBuildTools();
    console.log(
      `Installing VS Code for the browser (code-server ${CODE_SERVER}, about ${MEGABYTES} MB) into ${folder}, once; this takes from one to a few minutes …`,
    );
    mkdirSync(path.dirname(folder), { recursive: true });
    const staging = mkdtempSync(`${folder}-installing-`);
    const stay = () => {}; // Ctrl-C ends npm, and with it the installation: what it left is removed first
    process.on("SIGINT", stay);
    try {
      installInto(staging);
      if (stampOf(folder) !== STAMP) {
        // another process may have been faster, and runs it by now
        rmSync(folder, { recursive: true, force: true });
        renameSync(staging, folder);
      }
    } finally {
      rmSync(staging, { recursive: true, force: true });
      process.off("SIGINT", stay);
    }
  }
  return hostIn(folder);
}

/** Says in one sentence why this machine cannot have it; undefined when it can. */
export function hostObstacle(): string | undefined {
  if (process.platform !== "linux") return "VS Code for the browser is installed on Linux only";
  const missing = ["g++", "make", "python3"].filter((program) => !findProgram(program));
  if (missing.length > 0) return `${missing.join(", ")} must be on PATH to install VS Code for the browser`;
  return undefined;
}

function requireBuildTools(): void {
  const obstacle = hostObstacle();
  if (obstacle) throw new Error(`${obstacle}.`);
}

function stampOf(folder: string): string | undefined {
  const file = path.join(folder, "installed.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function hostIn(folder: string): InstalledHost {
  return {
    node: path.join(folder, "node_modules", nodePackage(), "bin/node"),
    entry: path.join(folder, "node_modules/code-server/out/node/entry.js"),
  };
}

/** The package that carries Node for this processor, headers included. */
function nodePackage(): string {
  return `node-linux-${process.arch}`;
}

/**
 * Install scripts stay off, since some download and some need development packages of the system. Of the native modules
 * only two have no binary in their package: spdlog, without which logs and output channels stay empty, and
 * native-watchdog, which ends the extension host with its server. They are built here against the headers of that Node.
 */
function installInto(folder: string): void {
  writeFileSync(path.join(folder, "package.json"), '{"private":true}\n');
  const quiet = ["--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  npm(folder, {}, ["install", ...quiet, "--save-exact", `${nodePackage()}@${NODE}`, `code-server@${CODE_SERVER}`]);

  const nodeFolder = path.join(folder, "node_modules", nodePackage());
  const environment = {
    PATH: [path.join(nodeFolder, "bin"), process.env["PATH"]].join(path.delimiter),
    npm_config_nodedir: nodeFolder,
  };
  const server = path.join(folder, "node_modules/code-server/lib/vscode");
  npm(server, environment, ["install", ...quiet]);
  const native = ["@vscode/spdlog", "@vscode/native-watchdog"];
  npm(server, environment, ["rebuild", "--ignore-scripts=false", "--loglevel=error", ...native]);
  const remoteCli = path.join(server, "bin/remote-cli/code-server"); // `code` in a terminal of the served VS Code
  rmSync(remoteCli, { force: true });
  symlinkSync("code-linux.sh", remoteCli);
  // copilot is large and not ours to show; the language features of TypeScript miss their package here, and say so in red
  for (const name of ["copilot", "typescript-language-features"])
    rmSync(path.join(server, "extensions", name), { recursive: true, force: true });
  writeFileSync(path.join(folder, "installed.txt"), STAMP);
}

function npm(cwd: string, environment: Record<string, string>, args: string[]): void {
  const script = process.env["npm_execpath"];
  const [command, first] = script?.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
  const env = { ...plainEnvironment(process.env), ...environment };
  const { status, signal, error } = spawnSync(command, [...first, ...args], {
    cwd,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (signal === "SIGINT") throw new Error("The installation was interrupted: run the command again for another try.");
  if (status !== 0) {
    const cause = error?.message ?? "its messages are above";
    throw new Error(`npm ${args[0]} failed in ${cwd} (${cause}): mend that and run the command again.`);
  }
}
