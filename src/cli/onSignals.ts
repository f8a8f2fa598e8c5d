import { type Disposable, DisposableStore } from "../base/disposable.ts";

/** Handles these signals, none of which ends the process meanwhile, until it is disposed. */
export function onSignals(handlers: Partial<Record<"SIGINT" | "SIGTERM" | "SIGHUP", () => void>>): Disposable {
  const owned = new DisposableStore();
  for (const [signal, handle] of Object.entries(handlers)) {
    process.on(signal, handle);
    owned.defer(() => process.off(signal, handle));
  }
  return owned;
}
