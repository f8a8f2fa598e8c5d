import type { TeamScreen } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { CommandButton } from "../ui/commandButton.tsx";
import { IconButton } from "../ui/icon.tsx";
import { later } from "../ui/later.tsx";
import { useScroller } from "../ui/scroller.ts";
import { Activity } from "./activity.tsx";
import { Attention } from "./attention.tsx";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { FilterBack } from "./filterBack.tsx";
import { Finished, FinishedLine } from "./finished.tsx";
import { Members } from "./members.tsx";
import { Tabs } from "./tabs.tsx";
import { Tasks } from "./tasks.tsx";

const Inboxes = later(async () => (await import("./inboxes.tsx")).Inboxes);

/** A team, live or finished: one scroller from *Needs you* to the end of the tab, and the composer below it. */
export function Team({ state }: { state: TeamScreen }) {
  const scroller = useScroller(state.finished !== null);
  const closed = state.readOnly !== null || state.finished !== null;
  return (
    <>
      <main class="scroller" ref={scroller.box}>
        <div ref={scroller.content}>
          {state.finished ? (
            <Finished title={state.title} summary={state.finished} cost={state.cost} budget={state.budget} />
          ) : (
            <>
              <Attention elsewhere={state.readOnly !== null} onBack={scroller.goToTop} />
              {state.scripted && <ScriptedNote folder={state.folder} />}
              <Members {...state} readOnly={closed} />
            </>
          )}
          <div ref={scroller.tabsMark} />
          <Tabs tasks={state.tasks} unread={state.unread} />
          <TabPanel state={state} readOnly={closed} />
        </div>
      </main>
      {scroller.below.value && (
        <div class="to-end">
          <IconButton icon="arrow-down" label={t("goToEnd")} class="to-end-btn" onClick={scroller.goToEnd} />
        </div>
      )}
      {state.readOnly !== null && (
        <div class="read-only">
          <p class="quiet">{state.readOnly}</p>
          {state.canContinue && <CommandButton command="continueTeam" label={t("continueTeam")} primary />}
        </div>
      )}
      {state.finished && <FinishedLine title={state.title} result={state.finished.result} onBack={scroller.goToTop} />}
      {!closed && <Composer members={state.members} />}
    </>
  );
}

/** What is not real about the demo, and where the rest of it is; the whole path is the hover text. */
function ScriptedNote({ folder }: { folder: string | null }) {
  const name = folder?.split(/[\\/]/).findLast((part) => part !== "");
  return (
    <p class="quiet scripted">
      {t("scripted")} {folder !== null && <span title={folder}>{t("worksIn", name ?? folder)}</span>}
    </p>
  );
}

function TabPanel({ state, readOnly }: { state: TeamScreen; readOnly: boolean }) {
  const { view } = useModel();
  const tab = view.tab.value;
  return (
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
      <h2 class="vh">{t(tab)}</h2>
      {tab === "conversation" && <Conversation rows={state.members} readOnly={readOnly} />}
      {tab === "tasks" && <FilterBack />}
      {tab === "tasks" && <Tasks readOnly={readOnly} />}
      {tab === "inboxes" && <Inboxes />}
      {tab === "activity" && <Activity />}
    </div>
  );
}
