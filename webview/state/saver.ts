import type { Host } from "../host.ts";

/** Keeps the view's state through the host. */
export interface Saver {
  /** At once: for what was typed. A view that is hidden in the next moment has no time to say anything more. */
  now(): void;
  /**
   * The first change at once, then at most every 150 ms, and for a twentieth of the time where drafts hold large images:
   * for what changes as fast as a scrolled list.
   */
  soon(): void;
}

/** Saves through `host` what `read` gives. */
export function createSaver(host: Host, read: () => unknown): Saver {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let changed = false;
  let took = 0;
  const now = () => {
    changed = false;
    const from = performance.now();
    host.save(read());
    took = performance.now() - from;
  };
  const flush = () => {
    if (changed) now();
  };
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", flush);
  return {
    now,
    soon() {
      changed = true;
      if (timer !== null) return;
      now();
      timer = setTimeout(
        () => {
          timer = null;
          flush();
        },
        Math.max(150, 20 * took),
      );
    },
  };
}
