/** A list in the one scroller, and what can be seen: from below the bar of tabs, where that sticks, to the end. */
export interface Page {
  list: HTMLElement;
  box: HTMLElement;
  top: number;
  bottom: number;
}

/** As far as this below what can be seen, an end still counts as seen, in pixels. */
export const END = 24;

/** Null where the list is not drawn, or not below tabs. */
export function pageOf(list: HTMLElement | null | undefined): Page | null {
  const box = list?.closest<HTMLElement>(".scroller");
  const tabs = box?.querySelector<HTMLElement>(".tabs");
  if (!list || !box || !tabs) return null;
  const { top, bottom } = box.getBoundingClientRect();
  return { list, box, top: top + (Number.parseFloat(getComputedStyle(tabs).top) || 0) + tabs.offsetHeight, bottom };
}

/**
 * The first of these rows of the list that is seen, or the last one where they are all above, and where it stands: pixels
 * below the top of what can be seen. Null while the list begins where it can be seen: then nothing is above it that could
 * push it.
 */
export function firstSeen({ list, top }: Page, rows: readonly HTMLElement[]) {
  if (list.getBoundingClientRect().top >= top - 1) return null;
  let from = 0;
  for (let to = rows.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.getBoundingClientRect().bottom ?? 0) > top) to = middle;
    else from = middle + 1;
  }
  const row = rows[from] ?? rows.at(-1);
  return row ? { row, offset: Math.round(row.getBoundingClientRect().top - top) } : null;
}

/** Scrolls so that this row stands so many pixels below the top of what can be seen. */
export function putAt({ box, top }: Page, row: Element, offset: number): void {
  const moved = row.getBoundingClientRect().top - top - offset;
  if (Math.abs(moved) >= 1) box.scrollTop += moved;
}
