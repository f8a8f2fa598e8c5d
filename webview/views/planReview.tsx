import { useMemo } from "preact/hooks";
import type { PermissionMode } from "../../src/protocol/mode.ts";
import type { PlanItem } from "../../src/protocol/panel.ts";
import { modifierName } from "../format.ts";
import { count, t } from "../l10n.ts";
import { renderPieces } from "../markdown.ts";
import { useModel } from "../model.ts";
import { chooseModeAfter, commentsOf, feedbackOf, modeAfter } from "../state/planComments.ts";
import { openWhole, wasOpened } from "../state/shownWhole.ts";
import { Select } from "../ui/fields.tsx";
import { IN_REQUEST } from "../ui/markdown.tsx";
import { ChoiceButton } from "./choiceButton.tsx";
import { ChoiceField } from "./choices.tsx";
import { PlanLine } from "./planLine.tsx";
import { RequestTold } from "./requestParts.tsx";

/** Lines of a plan that are shown before the rest is asked for. */
const PLAN_LINES = 8;

/** A plan that waits: its lines, what the person says to each, and the choice. */
export function PlanReview({ item, inert }: { item: PlanItem; inert: boolean }) {
  const { view } = useModel();
  const whole = `plan:${item.id}`;
  const all = view.expansion.isOpen(whole);
  const { pieces, rest } = useMemo(
    () => renderPieces(item.plan, all ? Number.POSITIVE_INFINITY : PLAN_LINES, IN_REQUEST),
    [item.plan, all],
  );
  return (
    <>
      {item.version > 1 && (
        <p class="req-note plan-version">
          {t("version", item.version)}
          <ComparePlan item={item} />
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
          data-choice="rest"
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
      <RequestTold item={item} />
      <PlanDecision
        item={item}
        inert={inert}
        unseen={rest > 0 && !wasOpened(view.expansion, item.id) ? t("planNotWhole") : null}
      />
    </>
  );
}

/** Leads to the plan beside the one that the member sent before it. */
export function ComparePlan({ item }: { item: PlanItem }) {
  const { post } = useModel();
  return (
    <button type="button" class="link" onClick={() => post({ type: "comparePlan", request: item.id })}>
      {t("comparePlan")}
    </button>
  );
}

interface PlanDecisionProps {
  item: PlanItem;
  inert: boolean;
  /** Why it cannot be approved yet, null where it can. It can always be sent back. */
  unseen: string | null;
}

/** What can be decided about a plan, or the field for what should change. */
export function PlanDecision(props: PlanDecisionProps) {
  const { item, inert, unseen } = props;
  const field = useModel().queue.field.value;
  if (field?.id === item.id) return <ChoiceField item={item} field={field.field} unseen={unseen} inert={inert} />;
  return <PlanChoices {...props} />;
}

function PlanChoices({ item, inert, unseen }: PlanDecisionProps) {
  const model = useModel();
  const { decide, queue, view, surface } = model;
  const mode = modeAfter(view, item);
  const comments = commentsOf(view, item.id);
  const approve = () => decide(item, { kind: "approve", mode });
  const held = inert || unseen !== null;
  const open = (
    <ChoiceButton
      label={t(surface === "team" ? "openPlan" : "openAsDocument")}
      look="ghost"
      onClick={() => openWhole(model, surface === "team" ? "showPlan" : "openPlan", item.id)}
    />
  );
  return (
    <>
      {item.modes.length > 0 && (
        <AfterApproval item={item} mode={mode} onChange={(chosen) => chooseModeAfter(view, item, chosen)} />
      )}
      {comments.length > 0 ? (
        <div class="req-row">
          <ChoiceButton
            label={count("sendBackWith", comments.length)}
            look="primary"
            choice="primary"
            held={inert}
            onClick={() => decide(item, { kind: "reject", feedback: feedbackOf(item, comments) })}
          />
          <ChoiceButton
            label={t("approveWithout")}
            look="plain"
            held={held}
            {...(unseen === null ? {} : { hint: unseen })}
            onClick={approve}
          />
          {open}
        </div>
      ) : (
        <div class="req-row">
          <ChoiceButton
            label={t("approve")}
            hint={unseen ?? t("approveHint", modifierName())}
            look="primary"
            choice="primary"
            held={held}
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

function AfterApproval(props: { item: PlanItem; mode: PermissionMode; onChange: (mode: PermissionMode) => void }) {
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
