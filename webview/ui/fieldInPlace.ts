import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { useModel } from "../model.ts";

/** What was opened and has had the focus for it: its field may be drawn anew at any time. */
const had = new WeakSet<object>();
/** What is open since before the view was loaded: it takes no focus. */
const KEPT = {};
had.add(KEPT);

/**
 * Of a field that comes because it was asked for: its ref, which gives it the focus. `opening`: the same object for as
 * long as it is open; without one, a field that is drawn anew has been asked for anew.
 */
export function useFocusOnce(opening?: object): (element: HTMLElement | null) => void {
  return useCallback(
    (element) => {
      if (!element || (opening && had.has(opening))) return;
      if (opening) had.add(opening);
      queueMicrotask(() => element.focus());
    },
    [opening],
  );
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
  const opening = useModel().queue.field.value;
  const inputRef = useFocusOnce(opening?.asked ? opening : KEPT);
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
