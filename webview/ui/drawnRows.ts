import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Elements that the document may have before rows are left out: below the 1,500 that are its bound. */
const MOST_ELEMENTS = 1_400;
/** Drawn parts of a list that stay whatever they hold. */
const LEAST = 4;

/** A list whose newest rows come last, by the keys of its rows. */
export interface RowSource {
  total: number;
  keyAt(index: number): string | undefined;
  /** -1 where there is no such row. */
  indexOf(key: string): number;
}

/** Rows that are drawn: from the index `from` up to, not with, `to`. */
export interface DrawnRows {
  from: number;
  to: number;
  /** Draws one step more, farther up or farther down. */
  showEarlier(): void;
  showLater(): void;
  /** Draws the newest rows, and follows them again. */
  showEnd(): void;
  /** Draws this row, with some around it. */
  include(index: number): void;
}

/** `end`: the key of the last row that is drawn; null: the newest. `way`: where the person went last. */
interface Place {
  limit: number;
  end: string | null;
  way: "earlier" | "later";
}

/**
 * Which rows of a long list are drawn: the newest at first. When the document becomes too large, rows leave at the end of
 * the list that is farther from where the person went, and none that can be seen. Drawn parts are children of `box` that
 * name their row (`data-row`, `data-seq`), or the first and last of several (`data-first`, `data-last`).
 * `holds`: whether the person reads above the end: then the first row that is drawn stays that while rows come.
 * `mayLeave`: whether rows may leave at all. `onFull`: too much is left, by so many elements.
 */
export function useDrawnRows(
  box: RefObject<HTMLElement | null>,
  source: RowSource,
  { step, first = step, holds, mayLeave = true, onFull }: DrawnOptions,
): DrawnRows {
  const [place, changePlace] = useState<Place>({ limit: first, end: null, way: "later" });
  const top = useRef<string | undefined>(undefined);
  const setPlace = (next: Place) => {
    top.current = undefined;
    changePlace(next);
  };
  const last = place.end === null ? -1 : source.indexOf(place.end);
  const to = last < 0 ? source.total : Math.min(source.total, last + 1);
  const held = top.current !== undefined && holds() ? source.indexOf(top.current) : -1;
  const from = Math.max(0, held < 0 ? to - place.limit : Math.min(held, to - place.limit));
  top.current = source.keyAt(from);
  useFull((excess) => {
    if (!box.current || !mayLeave) return;
    const parts = partsOf(box.current);
    const { kept, left } = leave(parts, excess, place.way);
    const [top, bottom] = [parts[kept.from], parts[kept.to - 1]];
    if (!top || !bottom || kept.to - kept.from === parts.length) return onFull?.(left);
    const limit = source.indexOf(bottom.last) - source.indexOf(top.first) + 1;
    const end = kept.to === parts.length ? place.end : bottom.last;
    setPlace({ ...place, limit, end });
  });
  return {
    ...{ from, to },
    showEarlier: () => setPlace({ ...place, limit: to - from + step, way: "earlier" }),
    showLater: () => setPlace({ limit: to - from + step, end: keyOrEnd(source, to + step), way: "later" }),
    showEnd: () => setPlace({ limit: step, end: null, way: "later" }),
    include(index) {
      if ((index >= from && index < to) || index >= source.total) return;
      const near = index < from && from - index <= 2 * step;
      if (near) setPlace({ ...place, limit: to - index + NEAR, way: "earlier" });
      else setPlace({ limit: step, end: keyOrEnd(source, index + Math.ceil(step / 2)), way: "earlier" });
    },
  };
}

interface DrawnOptions {
  step: number;
  /** Rows at first; absent: one step. */
  first?: number;
  holds: () => boolean;
  mayLeave?: boolean;
  onFull?: (excess: number) => void;
}

/** Rows above one that is looked for. */
const NEAR = 3;

function keyOrEnd(source: RowSource, to: number): string | null {
  return to >= source.total ? null : (source.keyAt(to - 1) ?? null);
}

/** Elements of the document beyond those that it may have; 0 or less: none. */
function excessElements(): number {
  return document.getElementsByTagName("*").length - MOST_ELEMENTS;
}

/** Calls `onFull` whenever the document has become too large, before that is painted. */
export function useFull(onFull: (excess: number) => void): void {
  const latest = useRef(onFull);
  latest.current = onFull;
  useLayoutEffect(() => {
    const look = () => {
      const excess = excessElements();
      if (excess > 0) latest.current(excess);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => observer.disconnect();
  }, []);
}

/** A child of the list: the keys of its first and last row, its elements, and whether it has to stay. */
interface Part {
  first: string;
  last: string;
  size: number;
  stays: boolean;
}

function partsOf(box: HTMLElement): Part[] {
  return [...box.children].flatMap((child) => {
    if (!(child instanceof HTMLElement)) return [];
    const { row, seq, first = row ?? seq, last = first } = child.dataset;
    if (first === undefined || last === undefined) return [];
    const size = child.getElementsByTagName("*").length + 1;
    return [{ first, last, size, stays: isSeen(child) || child.contains(document.activeElement) }];
  });
}

/** Whether something of an element is in the window. */
export function isSeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Which parts stay when `excess` elements have to leave, and how many of these are left. */
function leave(parts: readonly Part[], excess: number, way: Place["way"]) {
  const kept = { from: 0, to: parts.length };
  let left = excess;
  const canLeave = (part: Part | undefined): part is Part =>
    left > 0 && part !== undefined && !part.stays && kept.to - kept.from > LEAST;
  const atTop = () => {
    for (let part = parts[kept.from]; canLeave(part); part = parts[kept.from]) {
      left -= part.size;
      kept.from += 1;
    }
  };
  const atEnd = () => {
    for (let part = parts[kept.to - 1]; canLeave(part); part = parts[kept.to - 1]) {
      left -= part.size;
      kept.to -= 1;
    }
  };
  for (const end of way === "earlier" ? [atEnd, atTop] : [atTop, atEnd]) end();
  return { kept, left };
}
