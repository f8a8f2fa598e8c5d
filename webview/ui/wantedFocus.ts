import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { type FocusTarget, useModel } from "../model.ts";

/** Puts the focus into a field when it is to go to what the field stands for. */
export function useWantedFocus(kind: FocusTarget["kind"], field: RefObject<HTMLElement | null>): void {
  const { focus } = useModel();
  const wanted = focus.value?.kind === kind;
  useLayoutEffect(() => {
    if (!wanted) return;
    focus.value = null;
    field.current?.focus();
  }, [wanted, focus, field]);
}
