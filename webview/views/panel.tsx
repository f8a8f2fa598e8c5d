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
    document.querySelector<HTMLElement>(selector)?.focus();
  }, [target, focus]);
}
