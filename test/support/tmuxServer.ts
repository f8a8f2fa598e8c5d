import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { silentLogger } from "../../src/base/logger.ts";
import type { ProcessSpec, StartedProcess } from "../../src/team/backends/processStarter.ts";
import { createTmuxStarter, type TmuxLead, type TmuxStarter } from "../../src/team/backends/tmux.ts";
import { eventually } from "./eventually.ts";

/** What a stand-in for a teammate saw of its start. */
export interface Seen {
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  pid: number;
}

/** A pane as `list-panes` tells of it. */
export interface PaneRow {
  id: string;
  pid: number;
  session: string;
  window: string;
  active: boolean;
  left: number;
  top: number;
  width: number;
  height: number;
  title: string;
}

/** A tmux server of one test, with folders of its own, and starters that use it. */
export interface TmuxServer {
  /** A folder of this test. */
  folder: string;
  env: Record<string, string>;
  tmux(...args: string[]): string;
  panes(): PaneRow[];
  /** $TMUX and $TMUX_PANE of a pane. */
  leadIn(pane: string): TmuxLead;
  starter(lead?: TmuxLead, env?: Record<string, string>): TmuxStarter;
  /** One whose teams are of another state root, on Muster's own server. */
  starterOf(root: string): TmuxStarter;
  /** A spec whose program writes what it sees to a file and waits. */
  spec(name: string, more?: Partial<ProcessSpec>, args?: readonly string[]): ProcessSpec;
  seen(name: string): Promise<Seen>;
  start(starter: TmuxStarter, spec: ProcessSpec): Promise<StartedProcess>;
  /** Shuts the server and deletes the folder. */
  close(): Promise<void>;
}

const STAND_IN = `
import { renameSync, writeFileSync } from "node:fs";
const [, , file, ...argv] = process.argv;
writeFileSync(file + ".new", JSON.stringify({ argv, env: process.env, cwd: process.cwd(), pid: process.pid }));
renameSync(file + ".new", file);
process.stdin.resume();
setInterval(() => {}, 60_000);
`;

let servers = 0;

/** Opens a server without a session; `close` it. */
export async function openTmuxServer(): Promise<TmuxServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "muster-tmux-"));
  servers += 1;
  const socket = `test-${process.pid}-${servers}`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMUX_TMPDIR: folder, LANG: "C.UTF-8" };
  const standIn = path.join(folder, "standIn.mjs");
  await writeFile(standIn, STAND_IN);
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-L", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...env, TERM: "xterm-256color" },
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  const options = {
    project: path.join(folder, "project"),
    root: path.join(folder, "root"),
    socketName: socket,
    logger: silentLogger,
  };
  return {
    folder,
    env,
    tmux,
    panes: () => paneRows(tmux),
    leadIn: (pane) => ({
      tmux: tmux("display-message", "-p", "-t", pane, "#{socket_path},#{pid},0"),
      pane,
    }),
    starter: (lead, own = env) => createTmuxStarter({ ...options, env: own, lead }),
    starterOf: (root) => createTmuxStarter({ ...options, env, root }),
    spec: (name, more, args = []) => ({
      team: "demo",
      name,
      displayName: name,
      color: "blue",
      argv: [process.execPath, standIn, fileOf(name), ...args],
      env: { PATH: env.PATH, HOME: folder, WHO: name },
      cwd: folder,
      ...more,
    }),
    seen: (name) =>
      eventually(`${name} to run`, async () => {
        const text = await readFile(fileOf(name), "utf8").catch(() => undefined);
        return text === undefined ? undefined : JSON.parse(text);
      }),
    start: (starter, spec) => starter.start(spec, new AbortController().signal),
    async close() {
      try {
        tmux("kill-server");
      } catch {
        // It went with its last pane.
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }); // its processes end meanwhile
    },
  };
}

function paneRows(tmux: TmuxServer["tmux"]): PaneRow[] {
  const fields =
    "pane_id pane_pid session_name window_id window_active pane_active pane_left pane_top pane_width pane_height pane_title";
  const format = fields
    .split(" ")
    .map((field) => `#{${field}}`)
    .join("\t");
  let output = "";
  try {
    output = tmux("list-panes", "-a", "-F", format);
  } catch (error) {
    if (!/no server running|no current target|No such file|server exited/.test(String(error))) throw error;
  }
  return output
    .split("\n")
    .filter(Boolean)
    .map((row) => {
      const [id = "", pid, session = "", window = "", shown, active, left, top, width, height, title = ""] =
        row.split("\t");
      const place = { left: Number(left), top: Number(top), width: Number(width), height: Number(height) };
      return { id, pid: Number(pid), session, window, active: shown === "1" && active === "1", ...place, title };
    });
}
