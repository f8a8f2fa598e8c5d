import type { VNode } from "preact";
import type { TeamScreen } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Empty } from "./empty.tsx";

/** The screen that the state asks for, and the one region that speaks to screen readers. `team` draws a team. */
export function Screen({ team }: { team: (state: TeamScreen) => VNode }) {
  const { data, announcer } = useModel();
  const state = data.panel.value;
  return (
    <>
      {state.screen === "loading" && (
        <main>
          <p class="quiet loading">{t("loading")}</p>
        </main>
      )}
      {state.screen === "empty" && <Empty state={state} />}
      {state.screen === "team" && team(state)}
      <div class="vh" role="status" aria-live="polite">
        {announcer.text.value}
      </div>
    </>
  );
}
