import type { TargetedKeyboardEvent } from "preact";

/**
 * Arrow keys, Home and End move the focus among the elements of `selector` inside the list that handles the key. The
 * one that has the focus becomes the list's only tab stop (`tabIndex` in the markup says which is the first).
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
