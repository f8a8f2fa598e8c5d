import { batch } from "@preact/signals";
import type { ViewState } from "./viewState.ts";

/** A task that took the place of the person's filter, and that filter. `owner` as in the view's state. */
export interface ShownAlone {
  readonly task: string;
  readonly text: string;
  readonly owner: string | null;
}

/** The task that is shown alone, until the person filters otherwise. Reading it subscribes. */
export function shownAlone({ alone, filter, owner }: ViewState): ShownAlone | null {
  const { value } = alone;
  return value && filter.value === `#${value.task}` && owner.value === null ? value : null;
}

/** Filters for one task; the person's own filter can be had back. */
export function showAlone(view: ViewState, task: string): void {
  const { text, owner } = shownAlone(view) ?? { text: view.filter.peek(), owner: view.owner.peek() };
  setFilter(view, { task, text, owner }, `#${task}`, null);
}

/** Filters again as before a task was shown alone. */
export function endAlone(view: ViewState, { text, owner }: ShownAlone): void {
  setFilter(view, null, text, owner);
}

function setFilter(view: ViewState, alone: ShownAlone | null, text: string, owner: string | null): void {
  batch(() => {
    view.alone.value = alone;
    view.filter.value = text;
    view.owner.value = owner;
  });
}

/** Takes up what was kept; what does not look right is left out. */
export function keptAlone(kept: unknown): ShownAlone | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { task, text, owner } = kept as Record<string, unknown>;
  if (typeof task !== "string" || typeof text !== "string") return null;
  return { task, text, owner: typeof owner === "string" ? owner : null };
}
