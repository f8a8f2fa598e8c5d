import { useLayoutEffect } from "preact/hooks";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Empty } from "./empty.tsx";
import { Team } from "./team.tsx";

/** The whole view: the screen that the state asks for, and the one region that speaks to screen readers. */
export function Panel() {
  const { data, announcer } = useModel();
  const state = data.panel.value;
  useFocus();
  return (
    <>
      {state.screen === "loading" && <p class="quiet loading">{t("loading")}</p>}
      {state.screen === "empty" && <Empty state={state} />}
      {state.screen === "team" && <Team key={state.team} state={state} />}
      <div class="vh" role="status" aria-live="polite">
        {announcer.text.value}
      </div>
    </>
  );
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
