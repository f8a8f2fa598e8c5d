import { useEffect, useMemo, useState } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import type { Placed } from "./layout.ts";

/** Under this name the page's own timeline holds how long each placing took. */
const MEASURED = "muster.taskGraph";

/**
 * Where the tasks stand: found out after the rest is drawn, and anew only where tasks or what they wait for have
 * changed. Null: not yet.
 */
export function usePlacedTasks(tasks: readonly TaskRow[]): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null);
  const shape = useMemo(() => tasks.map(({ id, blockedBy }) => `${id}<${blockedBy.join()}`).join(";"), [tasks]);
  useEffect(() => {
    let over = false;
    void Promise.all([import("./layout.ts"), idle()]).then(([{ placeTasks }]) => {
      if (over) return;
      const start = performance.now();
      setPlaced(placeTasks(tasks));
      performance.measure(MEASURED, { start });
    });
    return () => {
      over = true;
    };
  }, [shape]);
  return placed;
}

/** Resolves when the page has nothing to draw, after half a second at the latest: placing 500 tasks takes about that long. */
function idle(): Promise<unknown> {
  return new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
}
