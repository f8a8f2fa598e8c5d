import { useLayoutEffect } from "preact/hooks";
import { useModel } from "../model.ts";
import { Screen } from "./screen.tsx";
import { Team } from "./team.tsx";

/** The whole view *Team*. */
export function Panel() {
  useFocus();
  return <Screen team={(state) => <Team key={state.team} state={state} />} />;
}

/** Moves the focus where the person's own action leads: to the next request, or to the tabs when none is left. */
function useFocus(): void {
  const { focus } = useModel();
  const target = focus.value;
  useLayoutEffect(() => {
    if (target?.kind !== "request" && target?.kind !== "tab") return;
    focus.value = null;
    const selector =
      target.kind === "tab" ? "[role=tab][aria-selected=true]" : `[data-request="${CSS.escape(target.id)}"] .req-head`;
    const element = document.querySelector<HTMLElement>(selector);
    element?.focus();
    if (element && target.kind === "request" && target.shown) showFocus(element);
  }, [target, focus]);
}

/** The browser draws no ring where the last thing that happened in this document was a click, as before a command's key. */
function showFocus(element: HTMLElement): void {
  element.classList.add("focus-shown");
  element.addEventListener("blur", () => element.classList.remove("focus-shown"), { once: true });
}
