/** What the person has chosen on the Team Board. It survives hiding and reloading. */
export interface BoardView {
  /** Members whose conversations stand side by side; null: the first ones of the team, as many as fit. */
  readonly columns: readonly string[] | null;
  /** The tasks are a list instead of a graph. */
  readonly list: boolean;
  /** The task that is open beside the graph. */
  readonly task: string | null;
  /** The request whose plan is read in the place of all this, while it waits. */
  readonly plan: string | null;
  /** Factor at which the graph is drawn, and which of its places is at the top left, in pixels of the screen. */
  readonly zoom: number;
  readonly left: number;
  readonly top: number;
  /** The person has brought it there; else the graph shows its first task by itself. */
  readonly moved?: boolean;
}

const ZOOM = { least: 0.1, most: 2 } as const;

/** Nothing is chosen yet. */
export const NEW_BOARD: BoardView = { columns: null, list: false, task: null, plan: null, zoom: 1, left: 0, top: 0 };

/** Takes up what was kept; what does not look right is left out. */
export function boardViewOf(kept: unknown): BoardView {
  if (typeof kept !== "object" || kept === null) return NEW_BOARD;
  const { columns, list, task, plan, zoom, left, top, moved } = kept as Record<string, unknown>;
  return {
    columns: Array.isArray(columns) ? columns.filter((name) => typeof name === "string") : null,
    list: list === true,
    task: typeof task === "string" ? task : null,
    plan: typeof plan === "string" ? plan : null,
    zoom: typeof zoom === "number" ? within(zoom) : 1,
    left: Number(left) || 0,
    top: Number(top) || 0,
    ...(moved === true && { moved }),
  };
}

/** The nearest factor that is allowed. */
export function within(zoom: number): number {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
}
