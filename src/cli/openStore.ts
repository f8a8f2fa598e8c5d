import { createStore, type Store } from "../store/store.ts";
import type { StoreFault } from "../store/storeContext.ts";
import type { CliIo } from "./cliIo.ts";
import { cliLogger } from "./cliLogger.ts";
import { tellSentence } from "./tellSentence.ts";

/**
 * Files that could not be read as they are: a line each on standard error. They wait for the end of a command, since one
 * that fails because of them says so itself; a run tells them as they come.
 */
export interface FaultNotes {
  /** A sentence for the person; the same one is told once. */
  add(message: string): void;
  /** A file that could not be read as it is: told as `add` does, and kept in `faults`. */
  addFault(fault: StoreFault): void;
  readonly faults: readonly StoreFault[];
  /** Takes back what waits of these files (absolute): the command itself says what is wrong with them. */
  forgetFaults(files: ReadonlySet<string>): void;
  /** Writes what waits, and from here on everything at once. */
  show(): void;
}

/** Notes for one command. */
export function faultNotes(io: CliIo): FaultNotes {
  const waiting: string[] = [];
  const told = new Set<string>();
  const faults: StoreFault[] = [];
  let shown = false;
  const write = (message: string) => tellSentence(io, message);
  const add = (message: string) => {
    if (told.has(message)) return;
    told.add(message);
    if (shown) write(message);
    else waiting.push(message);
  };
  return {
    add,
    addFault: (fault) => {
      add(fault.message);
      if (!faults.some(({ file, message }) => file === fault.file && message === fault.message)) faults.push(fault);
    },
    faults,
    forgetFaults: (files) => {
      const gone = new Set(faults.filter(({ file }) => files.has(file)).map(({ message }) => message));
      waiting.splice(0, waiting.length, ...waiting.filter((message) => !gone.has(message)));
    },
    show: () => {
      shown = true;
      for (const message of waiting.splice(0)) write(message);
    },
  };
}

/** Opens a state root whose faults go to `notes`. */
export function openStore(root: string, host: { io: CliIo; env: NodeJS.ProcessEnv; notes: FaultNotes }): Store {
  return createStore({ root, logger: cliLogger(host), onFault: host.notes.addFault });
}
