import { useState } from "preact/hooks";
import type { PlanItem } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import type { Piece } from "../markdown.ts";
import { useModel } from "../model.ts";
import { commentKey } from "../state/planComments.ts";
import { setDraft } from "../state/viewState.ts";
import { useFocusOnce } from "../ui/fieldInPlace.ts";
import { TextArea } from "../ui/fields.tsx";
import { IconButton } from "../ui/icon.tsx";
import { Html } from "../ui/markdown.tsx";
import { Who, YOU } from "../ui/who.tsx";

/** A piece of the plan with its line number, and below it what the person says to it. */
export function PlanLine({ item, piece }: { item: PlanItem; piece: Piece }) {
  const { view } = useModel();
  const [writing, setWriting] = useState(false);
  const key = commentKey(item.id, piece.line);
  const comment = view.drafts.value[key] ?? "";
  const has = comment.trim() !== "";
  return (
    <li class={has ? "plan-line plan-commented" : "plan-line"} data-line={piece.line}>
      <span class="plan-number" aria-hidden="true">
        {piece.line}
      </span>
      <Html html={piece.html} class="plan-text" />
      <IconButton
        icon={has ? "edit" : "add"}
        label={t(has ? "editComment" : "addComment", piece.line)}
        class="plan-add"
        onClick={() => setWriting(true)}
      />
      {writing && <CommentField line={piece.line} text={comment} onClose={() => setWriting(false)} draftKey={key} />}
      {has && !writing && (
        <div class="plan-comment">
          <p class="plan-by">
            <Who member={YOU} />
            <span class="quiet">{t("draftComment")}</span>
            <IconButton icon="trash" label={t("deleteComment", piece.line)} onClick={() => setDraft(view, key, "")} />
          </p>
          <p class="plan-said">{comment.trim()}</p>
        </div>
      )}
    </li>
  );
}

interface CommentFieldProps {
  line: number;
  text: string;
  draftKey: string;
  onClose: () => void;
}

/** Where a comment is written. What is typed is a draft at once; Cancel brings back what was there. */
function CommentField({ line, text, draftKey, onClose }: CommentFieldProps) {
  const { view } = useModel();
  const [before] = useState(text);
  const inputRef = useFocusOnce();
  const close = (root: EventTarget) => {
    const row = root instanceof Element ? root.closest<HTMLElement>(".plan-line") : null;
    onClose();
    queueMicrotask(() => row?.querySelector<HTMLElement>(".plan-add")?.focus());
  };
  return (
    <fieldset
      class="plan-field"
      aria-label={t("commentOn", line)}
      onKeyDown={(event) => {
        const keep = event.key === "Enter" && (event.ctrlKey || event.metaKey);
        if (!keep && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation(); // to the request these keys mean something else
        close(event.currentTarget);
      }}
    >
      <TextArea
        label={t("commentOn", line)}
        placeholder={t("commentHint")}
        value={text}
        inputRef={inputRef}
        onInput={(typed) => setDraft(view, draftKey, typed)}
      />
      <div class="req-row">
        <button type="button" class="btn btn-plain" onClick={(event) => close(event.currentTarget)}>
          {t("keepComment")}
        </button>
        <button
          type="button"
          class="btn btn-ghost"
          onClick={(event) => {
            setDraft(view, draftKey, before);
            close(event.currentTarget);
          }}
        >
          {t("cancel")}
        </button>
      </div>
    </fieldset>
  );
}
