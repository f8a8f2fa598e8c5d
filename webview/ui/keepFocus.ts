import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * A row that moves to another list is drawn anew there: when the one with the focus has gone so, the focus follows it.
 * `name`: the attribute that tells a row. Nothing is done while the focus is elsewhere, or in another window.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, name: string): void {
  const last = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof HTMLElement && list.current?.contains(target) ? target : null;
    };
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, [list]);
  useLayoutEffect(() => {
    const gone = last.current;
    if (!gone || gone.isConnected || document.activeElement !== document.body || !document.hasFocus()) return;
    last.current = null;
    const value = gone.closest(`[${name}]`)?.getAttribute(name);
    if (value == null) return;
    list.current?.querySelector<HTMLElement>(`[${name}="${CSS.escape(value)}"] ${tagOf(gone)}`)?.focus();
  });
}

/** The same part of the row, by its first class. */
function tagOf(element: HTMLElement): string {
  return element.classList[0] === undefined ? "button" : `.${CSS.escape(element.classList[0])}`;
}
