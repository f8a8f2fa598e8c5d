import { createStore, type Store } from "../store/store.ts";
import type { CliIo } from "./cliIo.ts";
import { visibleLine } from "./render/visibleText.ts";
import { cliLogger } from "./run/cliLogger.ts";

/** Opens a state root; a file that cannot be read as it is gets one line on standard error, once. */
export function openStore(root: string, host: { io: CliIo; env: NodeJS.ProcessEnv }): Store {
  return createStore({
    root,
    logger: cliLogger(host),
    onFault: ({ message }) => host.io.stderr.write(`muster: ${visibleLine(message)}\n`),
  });
}
