import { useEffect } from "preact/hooks";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";

/** One row of what can be referred to: a file by its path, or what is selected in the editor. */
export type Offer = { kind: "file"; path: string } | { kind: "selection"; place: string };

/** What the host found for what is typed: the selection first, while nothing else was typed. */
export function offersOf(files: { typed: string; files: string[]; selection: string | null } | null): Offer[] {
  if (!files) return [];
  const own: Offer[] =
    files.selection !== null && files.typed === "" ? [{ kind: "selection", place: files.selection }] : [];
  return [...own, ...files.files.map((path): Offer => ({ kind: "file", path }))];
}

/** The id of the list, for `aria-controls`. */
export const MENTIONS = "mentions";
/** The id of its row number `index`, for `aria-activedescendant`. */
export const mentionId = (index: number) => `${MENTIONS}-${index}`;

interface MentionsProps {
  offers: readonly Offer[];
  chosen: number;
  onChoose: (offer: Offer) => void;
}

/** What can be put in for an `@`. The focus stays in the text: it moves the choice. */
export function Mentions({ offers, chosen, onChoose }: MentionsProps) {
  const { announcer } = useModel();
  useEffect(() => {
    announcer.say(count("mentions", offers.length));
  }, [offers.length, announcer]);
  return (
    <div id={MENTIONS} class="cmp-mentions" role="listbox" aria-label={t("mentionList")}>
      {offers.map((offer, index) => (
        <div
          key={offer.kind === "file" ? offer.path : "*"}
          id={mentionId(index)}
          role="option"
          aria-selected={index === chosen}
          class="cmp-mention"
          title={offer.kind === "file" ? offer.path : offer.place}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(offer)}
          onKeyDown={(event) => event.key === "Enter" && onChoose(offer)}
          tabIndex={-1}
        >
          <Row offer={offer} />
        </div>
      ))}
    </div>
  );
}

function Row({ offer }: { offer: Offer }) {
  if (offer.kind === "selection")
    return (
      <>
        <Icon name="list-selection" />
        <span class="cmp-mention-name">{t("selection")}</span>
        <span class="cmp-mention-folder">{offer.place.slice(1)}</span>
      </>
    );
  const cut = offer.path.lastIndexOf("/") + 1;
  return (
    <>
      <Icon name="file" />
      <span class="cmp-mention-name">{offer.path.slice(cut)}</span>
      <span class="cmp-mention-folder">{offer.path.slice(0, Math.max(0, cut - 1))}</span>
    </>
  );
}
