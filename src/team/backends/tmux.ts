import path from "node:path";
import { isRunnable } from "../../agent/tools/findProgram.ts";
import { AbortedError, throwIfAborted } from "../../base/abort.ts";
import { MusterError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { SerialQueue } from "../../base/serial.ts";
import { startTimeOf } from "../../store/processIdentity.ts";
import type { ProcessSpec, ProcessStarter, StartedProcess } from "./processStarter.ts";
import { endProcessTree, isAlive } from "./processTree.ts";
import {
  colouredScreen,
  environmentNames,
  PANE_COLOR,
  paneColor,
  paneStart,
  paneTitle,
  rootMark,
  sessionOwner,
  type TmuxCommand,
} from "./tmuxArguments.ts";
import { openTmux, type TmuxClient, TmuxRefusal } from "./tmuxClient.ts";
import { besideLead, ownSession, type Pane, type PanePlace, startServer } from "./tmuxLayout.ts";
import { closedPanes, type TmuxWatch, type WatchedPane, watchPanes } from "./tmuxWatch.ts";

/** Where the lead itself runs in tmux, as tmux tells its processes. */
export interface TmuxLead {
  /** $TMUX: `{socket},{pid of the server},{number of the session}`. */
  tmux: string;
  /** $TMUX_PANE: `%5`. */
  pane: string;
}

/** What the starter is told of its host and of the project. */
export interface TmuxOptions {
  /** The host's environment, for tmux itself: PATH, HOME, TMUX_TMPDIR and the like. Panes get the one of their spec. */
  env: NodeJS.ProcessEnv;
  /** The project's folder: no program in it is run. */
  project: string;
  /** The state root: what is of another one counts as a stranger's. */
  root: string;
  /** The lead's pane, beside which the teammates' go; without it they have a server of their own. */
  lead?: TmuxLead | undefined;
  /** The name of Muster's own server (`tmux -L`). */
  socketName?: string;
  logger: Logger;
}

/** Runs teammates in tmux panes, and shows them. */
export interface TmuxStarter extends ProcessStarter {
  readonly type: "tmux";
  /** Program and arguments that show a pane in another terminal, with its session. Without `$TMUX` in their environment. */
  attachCommand(address: string): Promise<string[]>;
  /** What a teammate's pane shows: its lines, with colours. Rejects with `not_ready` where it is none of ours, or gone. */
  capturePane(address: string): Promise<string>;
}

/**
 * Teammates in tmux panes: beside the lead's own where it runs in tmux, else on Muster's own server in a session
 * `muster-{team}`, with a hash of the state root where a team of another root has that one. Nothing is ever typed into a
 * shell: a pane's process is the teammate. Besides its spec's variables it has TERM, TERM_PROGRAM, TERM_PROGRAM_VERSION,
 * TMUX, TMUX_PANE and PWD from tmux. Variables go through the arguments of a short-lived tmux client, which other users of
 * the machine may see: no key may be among them.
 */
export function createTmuxStarter(options: TmuxOptions): TmuxStarter {
  const queue = new SerialQueue();
  let opened: Promise<Tmux> | undefined;
  const open = () => {
    opened ??= openServer(options);
    opened.catch(() => {
      opened = undefined; // it may be installed meanwhile
    });
    return opened;
  };
  return {
    type: "tmux",
    prepare: () => queue.run("start", async () => (await open()).prepare()).catch(() => undefined), // the start tells
    // One after another: each splits what the one before left.
    start: (spec, signal) => queue.run("start", async () => startPane(await open(), spec, signal)),
    async attachCommand(address) {
      const pane = checkAddress(address);
      const { client, root } = await open();
      const said = await client
        .run([["display-message", "-p", "-t", pane, `#{session_id}\n#{${PANE_ROOT}}`]])
        .catch((error) => Promise.reject(refused(error)));
      const [session = "", mark] = said.split("\n");
      requireOwn(mark === root, pane);
      const commands = attachTo(pane, session);
      return [...client.program, ...commands.flatMap((command, index) => (index > 0 ? [";", ...command] : command))];
    },
    async capturePane(address) {
      const pane = checkAddress(address);
      const { client, root } = await open();
      const captured = await client
        .run([
          ["display-message", "-p", "-t", pane, `#{${PANE_ROOT}}`],
          ["capture-pane", "-p", "-e", "-t", pane],
        ])
        .catch((error) => Promise.reject(refused(error)));
      const [mark, ...lines] = captured.split("\n");
      requireOwn(mark === root, pane);
      return colouredScreen(lines.join("\n"));
    },
  };
}

/** The option of a teammate's pane that says of which state root it is. */
const PANE_ROOT = "@muster-of";

interface Tmux {
  client: TmuxClient;
  watch: TmuxWatch;
  root: string;
  /** Starts Muster's own server where it is not there. */
  prepare(): Promise<void>;
  place(team: string): Promise<PanePlace>;
}

async function openServer({ env, project, root, lead, socketName, logger }: TmuxOptions): Promise<Tmux> {
  const server = lead ? ["-S", socketOf(lead)] : ["-L", socketName ?? "muster", "-f", "/dev/null"];
  const client = await openTmux({ env, project, server });
  const leadPane = lead && checkAddress(lead.pane);
  const of = path.resolve(root);
  return {
    client,
    watch: watchPanes(client, (pane) => endPaneProcess(client, pane), logger),
    root: rootMark(of),
    prepare: async () => (leadPane ? undefined : startServer(client)),
    place: async (team) => (leadPane ? besideLead(client, leadPane) : ownSession(client, sessionOwner(team, of))),
  };
}

/** The socket's path, which may have commas in it. */
function socketOf({ tmux }: TmuxLead): string {
  const socket = /^(\/.+),\d+,\d+$/s.exec(tmux)?.[1];
  if (socket === undefined)
    throw new MusterError("not_ready", "TMUX names no tmux server: start the lead inside tmux.");
  return socket;
}

/** Throws `not_ready` where a pane has not the mark of a teammate of this state root. */
function requireOwn(isOwn: boolean, pane: string): void {
  if (!isOwn) throw new MusterError("not_ready", `The pane ${pane} is no teammate's: it was closed.`);
}

/**
 * Attaches the terminal that runs this to one pane. The client has an active pane of its own, so that what is typed there
 * goes to that pane, whatever other terminals show; tmux keeps which one only when it changes, therefore the detour.
 */
function attachTo(pane: string, session: string): TmuxCommand[] {
  return [
    ["select-window", "-t", pane],
    ["attach-session", "-f", "active-pane", "-t", session],
    ["select-pane", "-t", ":.+"],
    ["select-pane", "-t", pane],
  ];
}

function checkAddress(address: string): string {
  if (/^%\d+$/.test(address)) return address;
  throw new MusterError("not_ready", `${JSON.stringify(address)} is no tmux pane: it looks like %5.`);
}

async function startPane(tmux: Tmux, spec: ProcessSpec, signal: AbortSignal): Promise<StartedProcess> {
  throwIfAborted(signal);
  await checkProgram(spec.argv[0]);
  const { client, watch } = tmux;
  try {
    const place = await tmux.place(spec.team);
    const start = inheritedNames(client, place).then((names) => paneStart(spec, client.env, names));
    // Not ended by `signal`: whether there is a pane, and which, only its answer tells.
    const pane = await place.add(start, { cwd: spec.cwd, searchPath: spec.env["PATH"] });
    const startTime = await startTimeOf(pane.pid);
    const watched: WatchedPane = { ...pane, startTime };
    try {
      const said = await place.arrange(dress(pane, spec, place, tmux.root));
      if (!said.split("\n").includes(`${pane.pid} 0`)) throw new TmuxRefusal(`can't find pane: ${pane.id}`);
      if (signal.aborted) throw new AbortedError();
    } catch (error) {
      await end(client, watched);
      throw endedAtOnce(error, spec);
    }
    return startedProcess(client, watch, watched);
  } catch (error) {
    throw refused(error);
  }
}

/** Throws `not_ready` where the program cannot be run. */
async function checkProgram(program: string | undefined): Promise<void> {
  if (program?.startsWith("/") && (await isRunnable(program))) return;
  throw new MusterError("not_ready", `There is no program to run at ${program ?? "an empty path"}: reinstall it.`);
}

/** The variables that a pane gets from the server and the session that it is in, as far as those are there. */
async function inheritedNames(client: TmuxClient, { session }: PanePlace): Promise<string[]> {
  const shown = await client
    .run([
      ["show-environment", "-g"],
      ["show-environment", "-t", session],
    ])
    .catch((error) => {
      if (error instanceof TmuxRefusal && error.isGone) return error.printed;
      throw error;
    });
  return [...client.serverEnvironment, ...environmentNames(shown)];
}

/**
 * Marks the pane as ours, shows whose it is, and prints `{pid} 0` where its process runs. Whatever the person's options
 * say, it goes with its process, and hears nothing that is typed in another pane.
 */
function dress({ id }: Pane, spec: ProcessSpec, { mark, showsTitles }: PanePlace, root: string): TmuxCommand[] {
  const color = paneColor(spec.color);
  const borders = ["pane-border-style", "pane-active-border-style"].map(
    (option): TmuxCommand => ["set-option", "-pq", "-t", id, option, `fg=${color}`],
  );
  return [
    ["set-option", "-p", "-t", id, "remain-on-exit", "off"],
    ["set-option", "-p", "-t", id, "synchronize-panes", "off"],
    ["set-option", "-p", "-t", id, "@muster", mark],
    ["set-option", "-p", "-t", id, PANE_ROOT, root],
    ["set-option", "-p", "-t", id, PANE_COLOR, color],
    ["select-pane", "-t", id, "-T", paneTitle(spec.displayName)],
    ...(showsTitles ? [] : borders),
    ["display-message", "-p", "-t", id, "#{pane_pid} #{pane_dead}"],
  ];
}

/** A pane that is gone before it was dressed: its program ended. */
function endedAtOnce(error: unknown, spec: ProcessSpec): unknown {
  if (!(error instanceof TmuxRefusal && error.isGone)) return error;
  return new MusterError(
    "not_ready",
    `${spec.displayName} ended as soon as it was started in tmux: run its program in a terminal to see why.`,
    {
      cause: error,
    },
  );
}

/** What tmux refused, as a sentence. */
function refused(error: unknown): unknown {
  if (!(error instanceof TmuxRefusal)) return error;
  const sentence = error.isGone
    ? `The tmux pane or server is gone (${error.message}): start the lead again.`
    : `tmux refused (${error.message}): see whether it is version 3.2 or later, or run teammates elsewhere.`;
  return new MusterError("not_ready", sentence, { cause: error });
}

function startedProcess(client: TmuxClient, watch: TmuxWatch, pane: WatchedPane): StartedProcess {
  return {
    address: pane.id,
    exited: watch.exited(pane),
    async reveal() {
      const select = `select-window -t ${pane.id} ; select-pane -t ${pane.id}`;
      await ifOurs(client, pane, select).catch((error) => Promise.reject(refused(error)));
    },
    async kill() {
      await end(client, pane);
      await watch.look();
    },
  };
}

/** Ends the process with what it started, and closes the pane where it is still that process's. */
async function end(client: TmuxClient, pane: WatchedPane): Promise<void> {
  await endPaneProcess(client, pane);
  await ifOurs(client, pane, `kill-pane -t ${pane.id}`);
}

/** Where the platform tells no start times, only the pane says that the number is still that process's. */
async function endPaneProcess(client: TmuxClient, pane: WatchedPane): Promise<void> {
  if (!(await isAlive(pane))) return;
  if (pane.startTime === null && (await closedPanes(client, [pane]))?.length !== 0) return;
  await endProcessTree(pane);
}

/** Runs a command of tmux in the same step in which the server looks whether the pane is still that of the process. */
async function ifOurs(client: TmuxClient, { id, pid }: Pane, command: string): Promise<void> {
  try {
    await client.run([["if-shell", "-F", "-t", id, `#{==:#{pane_pid},${pid}}`, command]]);
  } catch (error) {
    if (!(error instanceof TmuxRefusal && error.isGone)) throw error;
  }
}
