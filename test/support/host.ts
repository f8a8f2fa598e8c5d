import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import {
  type CodeServer,
  createProfile,
  folderUrl,
  installVsix,
  type Profile,
  serve,
} from "../../scripts/host/codeServer.ts";
import { plainEnvironment } from "../../scripts/host/environment.ts";
import { installHost } from "../../scripts/host/installHost.ts";
import { packagedFile } from "../../scripts/package.ts";
import { setLanguage } from "./language.ts";

/** A real VS Code, served on loopback, with folders of its own for everything that it or the extension writes. */
export interface Host {
  /** Holds all folders below; gone after `stop`. */
  root: string;
  home: string;
  /** The extension's state root (`CLAUDE_CONFIG_DIR`); does not exist at first. */
  stateRoot: string;
  workspace: string;
  profile: Profile;
  server: CodeServer;
  /** Milliseconds that installing the extension and starting the server took. */
  times: { install: number; start: number };
  /** Address that opens the workspace, or another folder. */
  url(folder?: string): string;
  stop(): Promise<void>;
}

/** What a test may set up otherwise. */
export interface HostOptions {
  /** Extension to install; default: the built package of this project. `null`: none. */
  vsix?: string | null;
  /** Files of the workspace: path → text. */
  files?: Readonly<Record<string, string>>;
  settings?: Readonly<Record<string, unknown>>;
  env?: Readonly<Record<string, string>>;
  /** `true`: VS Code asks whether the workspace is trusted; default: everything is. */
  asksForTrust?: boolean;
  /** Language of extensions, such as `zh-cn`; default: English. VS Code's own words are English in any case. */
  language?: string;
}

/** Settings that keep a fresh window still, and terminal text readable in the page. */
const QUIET_SETTINGS = {
  "workbench.colorTheme": "Dark Modern",
  "workbench.startupEditor": "none",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.showReleaseNotes": false,
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "remote.autoForwardPorts": false, // what other programs of the machine listen on is nothing to this window
  "terminal.integrated.gpuAcceleration": "off", // text is in the DOM only with the DOM renderer
  "terminal.integrated.enablePersistentSessions": false,
};

/** The package that `npm run package` made. @throws Error when it was not run. */
function builtExtension(): string {
  const file = packagedFile();
  if (!existsSync(file)) throw new Error(`${path.basename(file)} is missing: run \`npm run package\` first.`);
  return file;
}

/** Starts a VS Code in a fresh profile, home, state root and workspace, with the extension installed. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const installed = installHost();
  const root = mkdtempSync(path.join(tmpdir(), "muster-host-"));
  const [home, temporary, workspace] = ["home", "tmp", "workspace"].map((name) => path.join(root, name)) as Three;
  for (const folder of [home, temporary, workspace]) mkdirSync(folder);
  writeFiles(workspace, options.files ?? {});
  const profile = createProfile(path.join(root, "vscode"), { ...QUIET_SETTINGS, ...options.settings });
  if (options.language !== undefined) setLanguage(profile, options.language);
  const stateRoot = path.join(root, "state");
  const env = { ...hostEnvironment(home, temporary, stateRoot), ...options.env };

  const started = performance.now();
  const vsix = options.vsix === undefined ? builtExtension() : options.vsix;
  if (vsix) await installVsix(installed, profile, vsix, env);
  const install = performance.now() - started;
  const server = await serve(installed, profile, { cwd: workspace, env, trustEverything: !options.asksForTrust });
  return {
    ...{ root, home, stateRoot, workspace, profile, server },
    times: { install, start: performance.now() - started - install },
    url: (folder = workspace) => folderUrl(server, folder),
    async stop() {
      await server.stop();
      killTmuxServers(temporary);
      if (!process.env["KEEP_HOSTS"]) rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

type Three = [string, string, string];

function hostEnvironment(home: string, temporary: string, stateRoot: string): NodeJS.ProcessEnv {
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_BASE_URL: _url, ...env } = plainEnvironment(process.env);
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local/share"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    TMPDIR: temporary,
    TMUX_TMPDIR: temporary,
    CLAUDE_CONFIG_DIR: stateRoot,
    EXTENSIONS_GALLERY: "{}", // no look-ups in a marketplace
  };
}

/** A tmux server is a daemon: it outlives the terminal, the extension host and the process group. */
function killTmuxServers(temporary: string): void {
  const sockets = path.join(temporary, `tmux-${userInfo().uid}`);
  if (!existsSync(sockets)) return;
  for (const name of readdirSync(sockets)) spawnSync("tmux", ["-S", path.join(sockets, name), "kill-server"]);
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}
