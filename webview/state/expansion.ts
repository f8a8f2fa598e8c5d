import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** Which rows are open, by a key that names the row (`thread:…`, `task:…`). */
export interface Expansion {
  /** Whether the row is open. `byDefault` counts until the person has opened or closed it. */
  readonly isOpen: (key: string, byDefault?: boolean) => boolean;
  readonly set: (key: string, open: boolean) => void;
  /** As if the person had opened and closed nothing. */
  readonly forget: () => void;
  /** Changes with every `set`, and when all is forgotten. */
  readonly version: ReadonlySignal<number>;
  /** The newest choices of the person, to be kept. */
  readonly chosen: () => Record<string, boolean>;
}

/** Choices that are kept; older ones are forgotten. */
const KEPT = 300;

/** Takes up the choices that `chosen` gave before. */
export function createExpansion(kept: Readonly<Record<string, boolean>>): Expansion {
  const rows = new Map<string, Signal<boolean | undefined>>();
  const chosen = new Map<string, boolean>(Object.entries(kept));
  const version = signal(0);
  const row = (key: string) => {
    const known = rows.get(key) ?? signal(chosen.get(key));
    rows.set(key, known);
    return known;
  };
  return {
    isOpen: (key, byDefault = false) => row(key).value ?? byDefault,
    set: (key, open) => {
      row(key).value = open;
      chosen.delete(key); // so that it becomes the newest
      chosen.set(key, open);
      version.value += 1;
    },
    forget: () => {
      chosen.clear();
      for (const one of rows.values()) one.value = undefined;
      version.value += 1;
    },
    version,
    chosen: () => Object.fromEntries([...chosen].slice(-KEPT)),
  };
}
