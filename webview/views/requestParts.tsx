import type { AttentionItem, PermissionItem } from "../../src/protocol/panel.ts";
import { clock, nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { showItem } from "../navigation.ts";
import { openedKey } from "../state/shownWhole.ts";
import { IN_REQUEST, Markdown } from "../ui/markdown.tsx";
import { ErrorLine } from "../ui/noteLines.tsx";
import { Who } from "../ui/who.tsx";

/** Who asks, and for which task. */
export function RequestFrom({ item }: { item: AttentionItem }) {
  return (
    <>
      <Who member={item.from} />
      {item.task && (
        <span class="req-task" title={item.task.subject}>
          #{item.task.id} {item.task.subject}
        </span>
      )}
    </>
  );
}

/** What the member says about it, if it said anything. */
export function RequestSaid({ item: { said } }: { item: AttentionItem }) {
  return said ? <Markdown text={said} style={IN_REQUEST} class="req-said" /> : null;
}

/** Who told the member what it does now, as a link to that message: in Inboxes, else in its conversation. */
export function RequestTold({ item: { from, told } }: { item: AttentionItem }) {
  const model = useModel();
  if (!told) return null;
  return (
    <p class="req-note">
      <button
        type="button"
        class="req-told"
        title={t("showMessage")}
        onClick={() => {
          const item = { member: from.name, seq: told.seq };
          if (!told.message) return showItem(model, item);
          model.view.wantedMessage.value = { ...told.message, item };
          model.showTab("inboxes");
        }}
      >
        {t("toldBy", nameOf(told.by), clock(told.at))}
      </button>
    </p>
  );
}

/** Says that a command which the person has edited, in a field that is not open, would not run as it was edited. */
export function KeptEdit({ item: { id, preview } }: { item: PermissionItem }) {
  const edited = useModel().view.drafts.value[`command:${id}`];
  if (edited === undefined || preview.type !== "command" || edited === preview.text) return null;
  return <p class="req-note">{t("editKept")}</p>;
}

/** Why the last decision on a request did not count, and why it could not be opened; nothing where all was done. */
export function RequestError({ id }: { id: string }) {
  const { queue, work } = useModel();
  const errors = [queue.errors.value.get(id), work.errors.value.get(openedKey(id))];
  return <>{errors.map((error, at) => error && <ErrorLine key={at} text={error} />)}</>;
}
