import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";

/** Of a field that comes because it was asked for: its ref, which gives it the focus. */
export function useFocusOnce(): (element: HTMLElement | null) => void {
  return useCallback((element) => {
    if (element) queueMicrotask(() => element.focus());
  }, []);
}

interface FieldInPlace {
  /** The element around the field. */
  box: RefObject<HTMLDivElement | null>;
  inputRef: (element: HTMLElement | null) => void;
  /** Takes the field away, and keeps what was typed. Esc anywhere in the request does. */
  close: () => void;
}

/**
 * A field in the place of a request's buttons: it has the focus when it comes, and when it is closed the button that
 * opened it has (`opener`, its `data-choice`). `leave` takes the field away.
 */
export function useFieldInPlace(opener: "edit" | "refuse" | "more", leave: () => void): FieldInPlace {
  const box = useRef<HTMLDivElement>(null);
  const inputRef = useFocusOnce();
  const close = () => {
    const request = box.current?.closest("[data-request]");
    leave();
    queueMicrotask(() => request?.querySelector<HTMLElement>(`[data-choice=${opener}]`)?.focus());
  };
  const onEscape = useRef(close);
  onEscape.current = close;
  useLayoutEffect(() => {
    const request = box.current?.closest<HTMLElement>("[data-request]");
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || event.repeat) return;
      event.preventDefault();
      onEscape.current();
    };
    request?.addEventListener("keydown", onKey);
    return () => request?.removeEventListener("keydown", onKey);
  }, []);
  return { box, inputRef, close };
}
