import { type Clock, systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { CliIo } from "../cliIo.ts";
import { onSignals } from "../onSignals.ts";

/** How soon the second Ctrl-C must come that ends the team, in ms. */
export const AGAIN_MS = 3_000;

/** What the signals of a run do. */
export interface SignalHandlers {
  /** The first Ctrl-C, and each that comes later than `AGAIN_MS` after the one before. */
  interruptLead(): void;
  /** A second Ctrl-C, SIGTERM or SIGHUP; a Ctrl-C after it does nothing. */
  end(cause: string): void;
  /** The first Ctrl-C of a run that is at its end without one. */
  endsAlready(): void;
  /** Nothing can be written any more. */
  outputClosed(): void;
}

/**
 * Listens to the signals of the process until it is disposed. `interrupt` is Ctrl-C that the terminal gave to a prompt;
 * from `ends` on the run is at its end, and Ctrl-C changes nothing any more.
 */
export function listenToSignals(
  io: CliIo,
  handlers: SignalHandlers,
  clock: Pick<Clock, "now"> = systemClock,
): Disposable & { interrupt(): void; ends(): void } {
  const owned = new DisposableStore();
  let pressedAt = Number.NEGATIVE_INFINITY;
  let ending = false;
  let atEnd = false;
  const end = (cause: string) => {
    ending = true;
    handlers.end(cause);
  };
  const interrupt = () => {
    if (ending) return;
    if (atEnd) {
      ending = true;
      return handlers.endsAlready();
    }
    const isSecond = clock.now() - pressedAt <= AGAIN_MS;
    pressedAt = clock.now();
    if (isSecond) end("Ctrl-C");
    else handlers.interruptLead();
  };
  owned.add(
    onSignals({
      SIGINT: interrupt,
      SIGTERM: () => end("SIGTERM"),
      SIGHUP: () => end("SIGHUP"),
    }),
  );
  owned.add(io.onOutputClosed(() => handlers.outputClosed()));
  const ends = () => {
    atEnd = true;
  };
  return { interrupt, ends, dispose: () => owned.dispose() };
}
