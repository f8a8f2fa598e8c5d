import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Tells once that `end`, which stands behind a text, has been on the screen. `cover`: what may lie over the lower edge
 * of the window, where nothing is read. `what`: names the text.
 */
export function useEndOnScreen(
  end: RefObject<HTMLElement | null>,
  cover: RefObject<HTMLElement | null>,
  what: string,
  onSeen: () => void,
): void {
  const tell = useRef(onSeen);
  tell.current = onSeen;
  useEffect(() => {
    const target = end.current;
    if (!target) return undefined;
    let watched: IntersectionObserver | undefined;
    const watch = () => {
      watched?.disconnect();
      watched = new IntersectionObserver(
        (entries) => entries.some(({ isIntersecting }) => isIntersecting) && tell.current(),
        { root: document, rootMargin: `0px 0px -${coveredBy(cover.current)}px 0px` },
      );
      watched.observe(target);
    };
    const resized = new ResizeObserver(watch); // tells at once, too
    resized.observe(cover.current ?? target);
    resized.observe(document.documentElement);
    return () => {
      resized.disconnect();
      watched?.disconnect();
    };
  }, [end, cover, what]);
}

/** One page of a text that is read, by whichever element scrolls it. */
export function readOn(text: HTMLElement, cover: HTMLElement | null): void {
  let scroller: HTMLElement | null = text;
  while (scroller && scroller.scrollHeight <= scroller.clientHeight) scroller = scroller.parentElement;
  scroller?.scrollBy({ top: Math.max(LINE, scroller.clientHeight - coveredBy(cover) - 2 * LINE) });
}

/** The height of a line, in pixels: what was last is still there after a page. */
const LINE = 18;

/** Pixels at the lower edge of the window. */
function coveredBy(cover: HTMLElement | null): number {
  return cover && getComputedStyle(cover).position === "sticky" ? Math.ceil(cover.offsetHeight) : 0;
}
