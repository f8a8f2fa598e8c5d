import { useContext } from "preact/hooks";
import type { ConversationItem, ImageNote } from "../../src/protocol/panel.ts";
import { byteCount } from "../format.ts";
import { count, t } from "../l10n.ts";
import { ColumnContext, useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";
import { VisibleText } from "../ui/visibleText.tsx";
import { DiffBlock } from "./diff.tsx";

type ToolItem = Extract<ConversationItem, { type: "tool" }>;

/** Lines of an output that are shown before the rest is asked for; so many more are shown at once. */
const SHOWN = 12;
const ROOM = 4;

interface DetailProps {
  item: ToolItem;
  seq: number;
  rowKey: string;
}

/** What a call did: how it changed its file, else what it gave back. */
export function ToolDetail({ item, seq, rowKey }: DetailProps) {
  const failed = item.state === "failed";
  const images = item.images ?? [];
  const column = useContext(ColumnContext);
  const { post } = useModel();
  const openChange = () => post({ type: "openChange", seq, member: column });
  return (
    <div class="tool-detail">
      {item.diff && <DiffBlock id={`all:${rowKey}`} diff={item.diff} onOpen={openChange} />}
      {(failed || !item.diff) && <Output item={item} seq={seq} rowKey={rowKey} none={images.length > 0} />}
      <Images images={images} />
    </div>
  );
}

/** That a message or a result holds images, and how large they are. */
export function Images({ images }: { images: readonly ImageNote[] }) {
  return images.map(({ mediaType, bytes }, index) => (
    <p key={index} class="conv-image">
      <Icon name="file-media" />
      {bytes === null
        ? t("imageLinked", imageType(mediaType))
        : t("imageOfSize", imageType(mediaType), byteCount(bytes))}
    </p>
  ));
}

function imageType(mediaType: string): string {
  return mediaType.replace(/^image\//, "").toUpperCase();
}

function Output({ item, seq, rowKey, none }: DetailProps & { none: boolean }) {
  const column = useContext(ColumnContext);
  const { view, post } = useModel();
  if (item.detail === "") {
    if (none || item.state === "running") return null;
    return <p class="quiet tool-none">{t("noDetail")}</p>;
  }
  const lines = item.detail.split("\n");
  const all = view.expansion.isOpen(`all:${rowKey}`) || lines.length <= SHOWN + ROOM;
  const hidden = all ? 0 : lines.length - SHOWN;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: an unfolded block of code scrolls by keyboard */}
      <section class="code-block" tabIndex={0} aria-label={t("toolDetail", item.name)}>
        <VisibleText text={all ? item.detail : lines.slice(0, SHOWN).join("\n")} />
      </section>
      {hidden > 0 && (
        <button type="button" class="link" onClick={() => view.expansion.set(`all:${rowKey}`, true)}>
          {count("moreLines", hidden)}
        </button>
      )}
      {hidden === 0 && item.cut !== undefined && (
        <button type="button" class="link" onClick={() => post({ type: "openOutput", seq, member: column })}>
          {t("openOutput")}
        </button>
      )}
    </>
  );
}
