import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EmptyReason, PanelState } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { CommandButton, CommandLink } from "../ui/commandButton.tsx";
import { TextArea } from "../ui/fields.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { ErrorLine } from "../ui/noteLines.tsx";

type EmptyState = Extract<PanelState, { screen: "empty" }>;

/** Nothing to show yet: one sentence why, the one thing to do, and one other way on. */
export function Empty({ state }: { state: EmptyState }) {
  const View = VIEWS[state.reason];
  return (
    <main class="emp">
      <View state={state} />
    </main>
  );
}

const VIEWS: Record<EmptyReason, (props: { state: EmptyState }) => ComponentChildren> = {
  no_folder: NoFolder,
  untrusted: Untrusted,
  no_key: NoKey,
  no_team: NoTeam,
};

function NoFolder() {
  return (
    <>
      <Title icon="folder-opened" title={t("folderTitle")} />
      <p>{t("folderText")}</p>
      <CommandButton command="openFolder" label={t("openFolder")} primary />
      <Demo text={t("demoText")} />
    </>
  );
}

function Untrusted() {
  return (
    <>
      <Title icon="workspace-untrusted" title={t("trustTitle")} />
      <p>{t("trustText")}</p>
      <CommandButton command="manageTrust" label={t("manageTrust")} primary />
      <CommandLink command="openTeam" label={t("openTeamToRead")} />
    </>
  );
}

function NoKey() {
  return (
    <>
      <Title icon="key" title={t("keyTitle")} />
      <p>{t("keyText")}</p>
      <CommandButton command="setApiKey" label={t("setApiKey")} primary />
      <Demo text={t("demoWithoutKey")} />
      <CommandLink command="openTeam" label={t("openTeam")} />
    </>
  );
}

function NoTeam({ state }: { state: EmptyState }) {
  const { view } = useModel();
  const { start, starting, error } = useStart();
  const field = useRef<HTMLElement>(null);
  const goal = view.goal.value;
  const go = () => {
    if (goal.trim() === "") field.current?.focus();
    else if (!starting) start();
  };
  return (
    <>
      <Title title={t("startTitle")} />
      <p>{t("startText")}</p>
      <form
        class="emp-form"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) go();
        }}
      >
        <span class="field-label" aria-hidden="true">
          {t("goal")}
        </span>
        <TextArea
          label={t("goal")}
          placeholder={t("goalHint")}
          rows={4}
          value={goal}
          inputRef={field}
          onInput={(text) => {
            view.goal.value = text;
          }}
        />
        <p class="quiet">
          {[state.folder === null ? null : t("inFolder", state.folder), state.model].filter(Boolean).join(" · ")}
        </p>
        {error !== null && <ErrorLine text={error} />}
        <button type="button" class="btn btn-primary" aria-disabled={starting} onClick={go}>
          {t(starting ? "starting" : "startTeam")}
        </button>
      </form>
      <Demo text={t("demoText")} />
      <CommandLink command="openTeam" label={t("openTeam")} />
    </>
  );
}

/** Starts a team with the goal that was typed. The goal stays until its team is there. */
function useStart(): { start: () => void; starting: boolean; error: string | null } {
  const { announcer, ask, view, outcome } = useModel();
  const [intent, setIntent] = useState<string | null>(null);
  const answer = outcome.value?.intent === intent ? outcome.value : null;
  const error = answer?.error ?? null;
  useEffect(() => {
    if (error !== null) announcer.say(error);
  }, [answer, error, announcer]);
  return {
    start: () => setIntent(ask((id) => ({ type: "startTeam", intent: id, goal: view.goal.peek().trim() }))),
    starting: intent !== null && answer === null,
    error,
  };
}

function Title({ icon, title }: { icon?: IconName; title: string }) {
  return (
    <>
      {icon && <Icon name={icon} class="emp-icon" />}
      <h2 class="emp-title">{title}</h2>
    </>
  );
}

function Demo({ text }: { text: string }) {
  return (
    <>
      <hr />
      <p class="quiet">{text}</p>
      <CommandButton command="runDemo" label={t("runDemo")} />
    </>
  );
}
