import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import type { WithdrawnRow } from "../state/withdrawn.ts";
import { Icon } from "../ui/icon.tsx";

/** A request that waits no more: what it was, why it does not, and *Dismiss*. */
export function WithdrawnRequest({ row: { item, why } }: { row: WithdrawnRow }) {
  const { queue } = useModel();
  return (
    <li class="req-gone">
      <Icon name="circle-slash" />
      <span class="req-title">{item.title}</span>
      <button type="button" class="link" onClick={() => queue.withdrawn.dismiss(item.id)}>
        {t("dismiss")}
      </button>
      <span class="req-why">{t(`withdrawn.${why}`, nameOf(item.from))}</span>
    </li>
  );
}
