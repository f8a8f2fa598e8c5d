import type { RefObject, TargetedKeyboardEvent } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** List → its tab stop where a key or `useTabStop` made it that: the markup knows nothing of it. */
const given = new WeakMap<Element, Element>();

/**
 * Of the elements of `selector` in the list, one can be reached by Tab after each draw, whatever came and went: the one
 * with the focus, one that the markup has just named, or the first. Every component that adds or removes such elements
 * without a new draw of the list calls it too.
 */
export function useTabStop(list: RefObject<HTMLElement | null>, selector: string): void {
  useLayoutEffect(() => {
    if (list.current) keepOneStop(list.current, selector);
  });
}

function keepOneStop(list: HTMLElement, selector: string): void {
  const stops = [...list.querySelectorAll<HTMLElement>(`:is(${selector})[tabindex="0"]`)];
  if (stops.length === 1) return;
  const focused = list.querySelector<HTMLElement>(`:is(${selector}):focus`);
  const named = stops.find((row) => row !== given.get(list));
  const stop = focused ?? named ?? list.querySelector<HTMLElement>(selector);
  if (!stop) return;
  for (const other of stops) other.tabIndex = -1;
  stop.tabIndex = 0;
  given.set(list, stop);
}

/**
 * Arrow keys, Home and End move the focus among the elements of `selector` inside the list that handles the key. The
 * one that has the focus becomes the list's only tab stop (`tabIndex` in the markup may say which is the first, and
 * `useTabStop` sees to it that there is one).
 */
export function moveFocus(
  event: TargetedKeyboardEvent<HTMLElement>,
  selector: string,
  axis: "vertical" | "horizontal",
): HTMLElement | null {
  const step = stepOf(event.key, axis);
  if (step === null || event.ctrlKey || event.metaKey || event.altKey) return null;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = rows.indexOf(event.target as HTMLElement);
  if (at < 0) return null;
  const to = Number.isFinite(step) ? at + step : step < 0 ? 0 : rows.length - 1;
  const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
  event.preventDefault();
  if (!row || row === event.target) return null;
  for (const other of rows) other.tabIndex = other === row ? 0 : -1;
  given.set(event.currentTarget, row);
  row.focus();
  return row;
}

function stepOf(key: string, axis: "vertical" | "horizontal"): number | null {
  if (key === "Home") return Number.NEGATIVE_INFINITY;
  if (key === "End") return Number.POSITIVE_INFINITY;
  const [back, forth] = axis === "vertical" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  if (key === back) return -1;
  return key === forth ? 1 : null;
}
