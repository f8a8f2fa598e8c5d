import { useCallback, useMemo, useState } from "preact/hooks";
import type { PermissionMode } from "../../src/protocol/mode.ts";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { modifierName } from "../format.ts";
import { count, t } from "../l10n.ts";
import { type Piece, renderPieces } from "../markdown.ts";
import { useModel } from "../model.ts";
import { commentKey, commentsOf, feedbackOf } from "../state/planComments.ts";
import { setDraft } from "../state/viewState.ts";
import { Select, TextArea } from "../ui/fields.tsx";
import { IconButton } from "../ui/icon.tsx";
import { Html, IN_REQUEST } from "../ui/markdown.tsx";
import { Who } from "../ui/who.tsx";
import { ChoiceButton, ChoiceField } from "./choices.tsx";

type Plan = Extract<AttentionItem, { kind: "plan" }>;

/** Lines of a plan that are shown before the rest is asked for. */
const PLAN_LINES = 8;

/** A plan that waits: its lines, what the person says to each, and the choice. */
export function PlanReview({ item, inert }: { item: Plan; inert: boolean }) {
  const { queue, view, post } = useModel();
  const whole = `plan:${item.id}`;
  const all = view.expansion.isOpen(whole);
  const { pieces, rest } = useMemo(
    () => renderPieces(item.plan, all ? Number.POSITIVE_INFINITY : PLAN_LINES, IN_REQUEST),
    [item.plan, all],
  );
  const field = queue.field.value;
  return (
    <>
      {item.version > 1 && (
        <p class="req-note plan-version">
          {t("version", item.version)}
          <button type="button" class="link" onClick={() => post({ type: "comparePlan", request: item.id })}>
            {t("comparePlan")}
          </button>
        </p>
      )}
      <ol class="plan" aria-label={t("plan")}>
        {pieces.map((piece) => (
          <PlanLine key={piece.line} item={item} piece={piece} />
        ))}
      </ol>
      {rest > 0 && (
        <button
          type="button"
          class="link"
          onClick={(event) => {
            const lines = event.currentTarget.parentElement?.querySelector(".plan");
            const next = lines?.children.length ?? 0;
            view.expansion.set(whole, true);
            requestAnimationFrame(() => lines?.children[next]?.querySelector<HTMLElement>(".plan-add")?.focus());
          }}
        >
          {count("restOfPlan", rest)}
        </button>
      )}
      {field?.id === item.id ? (
        <ChoiceField item={item} field={field.field} inert={inert} />
      ) : (
        <PlanChoices item={item} inert={inert} />
      )}
    </>
  );
}

/** A piece of the plan with its line number, and below it what the person says to it. */
function PlanLine({ item, piece }: { item: Plan; piece: Piece }) {
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

const YOU = { name: "user", displayName: t("you"), color: null, role: "person" } as const;

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
  const focusOnce = useCallback((element: HTMLElement | null) => {
    if (element) queueMicrotask(() => element.focus());
  }, []);
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
        inputRef={focusOnce}
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

function PlanChoices({ item, inert }: { item: Plan; inert: boolean }) {
  const { decide, queue, post, view } = useModel();
  const [mode, setMode] = useState<PermissionMode>(item.afterMode);
  const comments = commentsOf(view, item.id);
  const approve = () => decide(item, { kind: "approve", mode });
  const open = (
    <ChoiceButton label={t("openPlan")} look="ghost" onClick={() => post({ type: "openPlan", request: item.id })} />
  );
  return (
    <>
      {item.modes.length > 0 && <AfterApproval item={item} mode={mode} onChange={setMode} />}
      {comments.length > 0 ? (
        <div class="req-row">
          <ChoiceButton
            label={count("sendBackWith", comments.length)}
            look="primary"
            choice="primary"
            held={inert}
            onClick={() => decide(item, { kind: "reject", feedback: feedbackOf(item, comments) })}
          />
          <ChoiceButton label={t("approveWithout")} look="plain" held={inert} onClick={approve} />
          {open}
        </div>
      ) : (
        <div class="req-row">
          <ChoiceButton
            label={t("approve")}
            hint={t("approveHint", modifierName())}
            look="primary"
            choice="primary"
            held={inert}
            onClick={approve}
          />
          <ChoiceButton
            label={t("sendBackMore")}
            hint={t("sendBackMoreHint", modifierName())}
            look="plain"
            choice="refuse"
            held={inert}
            onClick={() => queue.showField(item.id, "feedback")}
          />
          {open}
        </div>
      )}
    </>
  );
}

function AfterApproval(props: { item: Plan; mode: PermissionMode; onChange: (mode: PermissionMode) => void }) {
  return (
    <div class="req-mode">
      <span class="field-label" aria-hidden="true">
        {t("afterApproval")}
      </span>
      <Select
        label={t("afterApproval")}
        value={props.mode}
        options={props.item.modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        onChange={props.onChange}
      />
    </div>
  );
}
