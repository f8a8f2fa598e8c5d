import type { PanelTab } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { TABS } from "../state/viewState.ts";
import { moveFocus } from "../ui/roving.ts";

interface TabsProps {
  tasks: { open: number; total: number };
  unread: number;
}

/** The bar of tabs. Arrow keys move and show. */
export function Tabs({ tasks, unread }: TabsProps) {
  const { view, showTab } = useModel();
  const chosen = view.tab.value;
  const counts: Partial<Record<PanelTab, string>> = {
    ...(tasks.total > 0 && { tasks: t("doneOf", tasks.total - tasks.open, tasks.total) }),
    ...(unread > 0 && { inboxes: t("newMessages", unread) }),
  };
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={t("tabs")}
      onKeyDown={(event) => {
        const moved = moveFocus(event, "[role=tab]", "horizontal");
        if (moved) showTab(moved.dataset["tab"] as PanelTab);
      }}
    >
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          class="tab"
          data-tab={tab}
          aria-selected={tab === chosen}
          aria-controls="tab-panel"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => showTab(tab)}
        >
          <span class="tab-name">{t(tab)}</span>
          {counts[tab] !== undefined && <span class="count">{counts[tab]}</span>}
          {tab === "inboxes" && unread > 0 && <span class="count-short">{unread}</span>}
        </button>
      ))}
    </div>
  );
}
