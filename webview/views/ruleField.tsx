import { useEffect } from "preact/hooks";
import type { PermissionItem } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { setDraft, setFieldText } from "../state/viewState.ts";
import { useFieldInPlace } from "../ui/fieldInPlace.ts";
import { TextArea } from "../ui/fields.tsx";
import { ErrorLine, WarningLine } from "../ui/noteLines.tsx";
import { ChoiceButton } from "./choiceButton.tsx";

interface RuleFieldProps {
  item: PermissionItem;
  /** Why nothing can be allowed yet, null where it can: the field may be open since before the view was loaded. */
  unseen: string | null;
  inert: boolean;
}

/** The rules that would be kept, to be written differently. The host says whether they are some, and what to mind. */
export function RuleField({ item, unseen, inert }: RuleFieldProps) {
  const { data, decide, post, queue, view } = useModel();
  const { id, changeable = [] } = item;
  const key = `rule:${id}`;
  const text = view.drafts.value[key] ?? changeable.join("\n");
  const found = data.ruleCheck.value;
  const check = found?.request === id && found.text === text ? found : null;
  useEffect(() => post({ type: "checkRule", request: id, text }), [post, id, text]);
  const { box, inputRef, close } = useFieldInPlace("more", () => queue.showField(id, null));
  const cancel = () => {
    setDraft(view, key, "");
    close();
  };
  const rules = text.split("\n").flatMap((line) => line.trim() || []);
  const allow = (scope: "session" | "always") => decide(item, { kind: "allow", scope, rules });
  const held = inert || unseen !== null || check === null || check.fault !== null;
  return (
    <div class="req-field" ref={box}>
      <span class="field-label" aria-hidden="true">
        {t("ruleField")}
      </span>
      <TextArea
        label={t("ruleField")}
        value={text}
        code
        inputRef={inputRef}
        onInput={(typed) => setFieldText(view, key, typed)}
      />
      {check?.fault && <ErrorLine text={check.fault} />}
      {check?.warnings.map((warning) => (
        <WarningLine key={warning} text={warning} />
      ))}
      <div class="req-row">
        <ChoiceButton
          label={t("allowSession")}
          look="primary"
          choice="primary"
          held={held}
          {...(unseen === null ? {} : { hint: unseen })}
          onClick={() => allow("session")}
        />
        <ChoiceButton
          label={t("allowAlways")}
          hint={unseen ?? t("savedInSettings")}
          look="plain"
          held={held}
          onClick={() => allow("always")}
        />
        <ChoiceButton label={t("cancel")} look="ghost" onClick={cancel} />
      </div>
    </div>
  );
}
