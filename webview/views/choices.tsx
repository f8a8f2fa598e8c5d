import { useCallback, useRef, useState } from "preact/hooks";
import type { AttentionItem, PermissionItem } from "../../src/protocol/panel.ts";
import type { Decision } from "../../src/protocol/request.ts";
import { modifierName } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { type OpenField, setDraft, setFieldText } from "../state/viewState.ts";
import { useFieldInPlace } from "../ui/fieldInPlace.ts";
import { TextArea } from "../ui/fields.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { ChoiceButton } from "./choiceButton.tsx";
import { useOpenWhole } from "./diff.tsx";
import { KeptEdit } from "./requestParts.tsx";
import { RuleField } from "./ruleField.tsx";

/** What can be decided about a tool call. `unseen`: why it cannot be allowed yet, null where it can. */
export function PermissionChoices({
  item,
  unseen,
  inert,
}: {
  item: PermissionItem;
  unseen: string | null;
  inert: boolean;
}) {
  const { decide, queue } = useModel();
  const openWhole = useOpenWhole(item.id);
  const held = inert || unseen !== null;
  const hint = unseen ?? t("allowOnceHint", modifierName());
  return (
    <>
      <KeptEdit item={item} />
      <div class="req-row">
        <span class={item.rules.length > 0 ? "split" : ""}>
          <ChoiceButton
            label={t("allowOnce")}
            hint={hint}
            look="primary"
            choice="primary"
            held={held}
            onClick={() => decide(item, { kind: "allow", scope: "once" })}
          />
          {item.rules.length > 0 && <MoreWays item={item} held={held} hint={unseen ?? t("moreWays")} />}
        </span>
        <ChoiceButton
          label={t("denyMore")}
          hint={t("denyMoreHint", modifierName())}
          look="plain"
          choice="refuse"
          held={inert}
          onClick={() => queue.showField(item.id, "reason")}
        />
        {item.preview.type === "command" && (
          <ChoiceButton
            label={t("edit")}
            look="ghost"
            choice="edit"
            held={inert}
            onClick={() => queue.showField(item.id, "command")}
          />
        )}
        {item.preview.type === "edit" && <ChoiceButton label={t("openDiff")} look="ghost" onClick={openWhole} />}
      </div>
    </>
  );
}

/** The two wider ways to allow, each with the rule that it would add. */
function MoreWays({ item, held, hint }: { item: PermissionItem; held: boolean; hint: string }) {
  const { decide, queue } = useModel();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const anchor = useCallback(() => opener.current, []);
  const allow = (scope: "session" | "always") => decide(item, { kind: "allow", scope });
  const rules = item.rules.map((rule) => <code key={rule}>{rule}</code>);
  return (
    <>
      <button
        ref={opener}
        type="button"
        class="btn btn-primary split-drop"
        data-choice="more"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-disabled={held}
        aria-label={t("moreWays")}
        title={hint}
        onClick={() => setOpen(!held)}
      >
        <Icon name="chevron-down" />
      </button>
      {open && (
        <Menu label={t("moreWays")} anchor={anchor} onClose={() => setOpen(false)}>
          <MenuItem onChoose={() => allow("session")}>
            <span>{t("allowSession")}</span>
            {rules}
          </MenuItem>
          <MenuItem onChoose={() => allow("always")}>
            <span>{t("allowAlways")}</span>
            {rules}
            <span class="menu-note">{t("savedInSettings")}</span>
          </MenuItem>
          {item.changeable && (
            <MenuItem onChoose={() => queue.showField(item.id, "rule")}>
              <span>{t("changeRule")}</span>
            </MenuItem>
          )}
        </Menu>
      )}
    </>
  );
}

type Field = OpenField["field"];

const FIELDS: Record<
  Exclude<Field, "rule">,
  { label: () => string; placeholder: () => string; button: () => string; required: boolean }
> = {
  reason: { label: () => t("reason"), placeholder: () => t("reasonHint"), button: () => t("deny"), required: false },
  feedback: {
    label: () => t("feedback"),
    placeholder: () => t("feedbackHint"),
    button: () => t("sendBack"),
    required: true,
  },
  command: { label: () => t("editedCommand"), placeholder: () => "", button: () => t("allowEdited"), required: true },
};

interface FieldProps<F extends Field> {
  item: AttentionItem;
  field: F;
  /** Why nothing can be allowed yet, null where it can. What a person has not seen may be in what is edited, too. */
  unseen: string | null;
  inert: boolean;
}

/** A field in the place of the buttons: a reason, what should change, another command, or another rule. */
export function ChoiceField({ item, field, unseen, inert }: FieldProps<Field>) {
  if (field !== "rule") return <TextChoice {...{ item, field, unseen, inert }} />;
  return item.kind === "permission" ? <RuleField {...{ item, unseen, inert }} /> : null;
}

function TextChoice({ item, field, unseen, inert }: FieldProps<Exclude<Field, "rule">>) {
  const { decide, queue, view } = useModel();
  const { label, placeholder, button, required } = FIELDS[field];
  const key = `${field}:${item.id}`;
  const text = view.drafts.value[key] ?? initialText(item, field);
  const leave = () => queue.showField(item.id, null);
  const { box, inputRef, close } = useFieldInPlace(field === "command" ? "edit" : "refuse", leave);
  const cancel = () => {
    if (field === "command") setDraft(view, key, "");
    close();
  };
  const missing = required && text.trim() === "";
  const hint = field === "command" ? unseen : null; // the other fields allow nothing
  return (
    <div class="req-field" ref={box}>
      <span class="field-label" aria-hidden="true">
        {label()}
      </span>
      <TextArea
        label={label()}
        placeholder={placeholder()}
        value={text}
        code={field === "command"}
        inputRef={inputRef}
        onInput={(typed) => setFieldText(view, key, typed)}
      />
      <div class="req-row">
        <ChoiceButton
          label={button()}
          look="primary"
          choice="primary"
          held={inert || missing || hint !== null}
          {...(hint === null ? {} : { hint })}
          onClick={() => decide(item, decisionOf(field, text.trim()))}
        />
        <ChoiceButton label={t("cancel")} look="ghost" onClick={cancel} />
      </div>
    </div>
  );
}

function initialText(item: AttentionItem, field: Field): string {
  return field === "command" && item.kind === "permission" && item.preview.type === "command" ? item.preview.text : "";
}

function decisionOf(field: Field, text: string): Decision {
  if (field === "feedback") return { kind: "reject", feedback: text };
  if (field === "command") return { kind: "allow", scope: "once", updatedInput: { command: text } };
  return text === "" ? { kind: "deny" } : { kind: "deny", reason: text };
}
