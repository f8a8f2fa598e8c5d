import type { RefObject } from "preact";
import { useCallback, useRef } from "preact/hooks";

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
  /** Takes the field away. */
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
  return { box, inputRef, close };
}
