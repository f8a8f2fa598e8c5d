import type { MemberRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";
import { shownIcon, shownWord } from "./memberState.ts";

/** Stands below a conversation while its member is idle or its API makes it wait: what it waits for. */
export function QuietlyWaits({ row }: { row: MemberRow }) {
  if (row.detail === "" || (row.state !== "idle" && !row.waitsForApi)) return null;
  return (
    <div class="conv-waits conv-waits-quiet">
      <Icon name={shownIcon(row)} />
      <span>
        {shownWord(row)}
        {row.waitsForApi ? " " : " · "}
        {row.detail}
      </span>
    </div>
  );
}

/** Stands below a conversation while its member waits for the person. `onReview` gets the id of the request. */
export function Waits({ row, onReview }: { row: MemberRow; onReview: (request: string) => void }) {
  const { queue } = useModel();
  const request = queue.items.value.find(({ from }) => from.name === row.name);
  return (
    <div class="conv-waits">
      <Icon name="bell-dot" />
      <span>{t("waitsForYou", row.detail)}</span>
      {request && (
        <button type="button" class="btn btn-plain btn-small" onClick={() => onReview(request.id)}>
          {t("review")}
        </button>
      )}
    </div>
  );
}
