import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { endAlone, shownAlone } from "../state/shownAlone.ts";

/** Stands above the tasks while one that was followed is shown in the place of the person's filter: the way back to it. */
export function FilterBack() {
  const { view } = useModel();
  const alone = shownAlone(view);
  if (!alone) return null;
  const unfiltered = alone.text.trim() === "" && alone.owner === null;
  return (
    <p class="quiet task-alone">
      {t("onlyTask", alone.task)}{" "}
      <button type="button" class="link" onClick={() => endAlone(view, alone)}>
        {t(unfiltered ? "showAllTasks" : "backToFilter")}
      </button>
    </p>
  );
}
