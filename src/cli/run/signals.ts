import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { CliIo } from "../cliIo.ts";
import { onSignals } from "../onSignals.ts";

/** What the signals of a run do. */
export interface SignalHandlers {
  /** The first Ctrl-C. */
  interruptLead(): void;
  /** A second Ctrl-C, SIGTERM or SIGHUP. */
  end(cause: string): void;
  /** Nothing can be written any more. */
  outputClosed(): void;
}

/** Listens to the signals of the process until it is disposed; `interrupt` is Ctrl-C that the terminal gave to a prompt. */
export function listenToSignals(io: CliIo, handlers: SignalHandlers): Disposable & { interrupt(): void } {
  const owned = new DisposableStore();
  let interrupts = 0;
  const interrupt = () => {
    interrupts += 1;
    if (interrupts === 1) handlers.interruptLead();
    else handlers.end("Ctrl-C");
  };
  owned.add(
    onSignals({
      SIGINT: interrupt,
      SIGTERM: () => handlers.end("SIGTERM"),
      SIGHUP: () => handlers.end("SIGHUP"),
    }),
  );
  owned.add(io.onOutputClosed(() => handlers.outputClosed()));
  return { interrupt, dispose: () => owned.dispose() };
}
