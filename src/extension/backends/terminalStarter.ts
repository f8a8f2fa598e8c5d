import * as vscode from "vscode";
import { throwIfAborted } from "../../base/abort.ts";
import { settledWithin, systemClock } from "../../base/clock.ts";
import { MusterError } from "../../base/errors.ts";
import { startTimeOf } from "../../store/processIdentity.ts";
import type { ProcessEnd, ProcessSpec, ProcessStarter, StartedProcess } from "../../team/backends/processStarter.ts";
import { hangUp, isAlive, type KnownProcess } from "../../team/backends/processTree.ts";
import { terminalColor } from "./terminalColors.ts";

/** How long a terminal may take to have a process, and a process to go after its terminal was closed, in ms. */
const START_MS = 10_000;
const GONE_MS = 3_000;

/**
 * Teammates in VS Code's own terminals: the process of the terminal is the teammate, nothing is ever typed into a shell.
 * A terminal is hidden until the person clicks it; closing it ends its teammate.
 */
export function createTerminalStarter(): ProcessStarter {
  return {
    type: "terminal",
    async start(spec, signal) {
      throwIfAborted(signal);
      const terminal = vscode.window.createTerminal(terminalOptions(spec));
      const closed = whenClosed(terminal);
      const starting = processOf(terminal);
      void closed.then(() => endLeft(starting));
      try {
        const inTime = await settledWithin(systemClock, [starting], START_MS, signal);
        const running = inTime ? await starting : null;
        if (running) return startedProcess(terminal, running, closed);
        throw new MusterError("not_ready", `The terminal of ${spec.displayName} was not opened: it has no process.`);
      } catch (error) {
        terminal.dispose();
        throw error;
      }
    },
  };
}

function terminalOptions({ argv, env, cwd, displayName, color }: ProcessSpec): vscode.TerminalOptions {
  const [shellPath = "", ...shellArgs] = argv;
  const shown = terminalColor(color);
  return {
    ...{ name: displayName, shellPath, shellArgs, cwd, env: { ...env }, strictEnv: true },
    iconPath: new vscode.ThemeIcon("person"),
    ...(shown ? { color: shown } : {}),
    isTransient: true,
    hideFromUser: true,
  };
}

function startedProcess(terminal: vscode.Terminal, running: KnownProcess, closed: Promise<ProcessEnd>): StartedProcess {
  let killed = () => {};
  const gone = new Promise<{ reason: string }>((resolve) => {
    killed = () => resolve({ reason: "its process has ended" });
  });
  return {
    address: "terminal",
    exited: Promise.race([closed, gone]),
    reveal: async ({ preserveFocus }) => terminal.show(preserveFocus),
    async kill() {
      // a window that closes hears of no disposal, and one that has lost its connection tells of no closing
      terminal.dispose();
      try {
        if (process.platform !== "win32") await hangUp(running, GONE_MS);
        else if (!(await settledWithin(systemClock, [closed], GONE_MS))) process.kill(running.pid);
      } finally {
        killed();
      }
    },
  };
}

/** Null where it has none. */
async function processOf(terminal: vscode.Terminal): Promise<KnownProcess | null> {
  const pid = await terminal.processId;
  return pid === undefined ? null : { pid, startTime: await startTimeOf(pid) };
}

/** That a terminal was closed, also by the person, does not say that its process heeded it. */
async function endLeft(starting: Promise<KnownProcess | null>): Promise<void> {
  const running = await starting.catch(() => null); // told by who waits for it
  if (running && process.platform !== "win32" && (await isAlive(running))) await hangUp(running, GONE_MS);
}

function whenClosed(terminal: vscode.Terminal): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const listening = vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      listening.dispose();
      resolve(endOf(closed.exitStatus));
    });
  });
}

function endOf(status: vscode.TerminalExitStatus | undefined): ProcessEnd {
  if (status?.reason === vscode.TerminalExitReason.User) return { reason: "its terminal was closed", byPerson: true };
  return { reason: status?.code ? `exit code ${status.code}` : "its process has ended" }; // 0 also where a signal killed it
}
