import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import type { WithdrawnRow } from "../state/withdrawn.ts";
import { Icon } from "../ui/icon.tsx";

/** A request that waits no more: what it was, why it does not, what was being typed for it, and *Dismiss*. */
export function WithdrawnRequest({ row: { item, why, typed } }: { row: WithdrawnRow }) {
  const { queue } = useModel();
  return (
    <li class="req-gone" data-gone={item.id}>
      <Icon name="circle-slash" />
      <span class="req-title">{item.title}</span>
      <button type="button" class="link" onClick={() => queue.withdrawn.dismiss(item.id)}>
        {t("dismiss")}
      </button>
      <span class="req-why">{t(`withdrawn.${why}`, nameOf(item.from))}</span>
      {typed !== "" && <textarea class="text-area req-why" readOnly aria-label={t("typedForIt")} value={typed} />}
    </li>
  );
}
