import { createStore, type Store } from "../store/store.ts";
import type { CliIo } from "./cliIo.ts";
import { cliLogger } from "./cliLogger.ts";
import { visibleLine } from "./render/visibleText.ts";

/**
 * Files that could not be read as they are: a line each on standard error. They wait for the end of a command, since one
 * that fails because of them says so itself; a run tells them as they come.
 */
export interface FaultNotes {
  add(message: string): void;
  /** Writes what waits, and from here on everything at once. */
  show(): void;
}

/** Notes for one command. */
export function faultNotes(io: CliIo): FaultNotes {
  const waiting: string[] = [];
  let shown = false;
  const write = (message: string) => io.stderr.write(`muster: ${visibleLine(message)}\n`);
  return {
    add: (message) => {
      if (shown) write(message);
      else waiting.push(message);
    },
    show: () => {
      shown = true;
      for (const message of waiting.splice(0)) write(message);
    },
  };
}

/** Opens a state root whose faults go to `notes`. */
export function openStore(root: string, host: { io: CliIo; env: NodeJS.ProcessEnv; notes: FaultNotes }): Store {
  return createStore({ root, logger: cliLogger(host), onFault: ({ message }) => host.notes.add(message) });
}
