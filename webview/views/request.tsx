import type { FunctionComponent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { costOf, dollars, modifierName, nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { isCut } from "../state/shownWhole.ts";
import { IN_REQUEST, Markdown } from "../ui/markdown.tsx";
import { ErrorLine, WarningLine } from "../ui/noteLines.tsx";
import { VisibleText } from "../ui/visibleText.tsx";
import { ChoiceButton } from "./choiceButton.tsx";
import { ChoiceField, PermissionChoices } from "./choices.tsx";
import { Command } from "./command.tsx";
import { Diff, useOpenWhole } from "./diff.tsx";
import { PlanReview } from "./planReview.tsx";
import { RequestError, RequestFrom, RequestSaid, RequestTold } from "./requestParts.tsx";
import { RequestRow } from "./requestRow.tsx";

type Of<K extends AttentionItem["kind"]> = Extract<AttentionItem, { kind: K }>;

/** One row of *Needs you*: its title is a button that opens it. */
export function Request({ item, first }: { item: AttentionItem; first: boolean }) {
  const { queue } = useModel();
  const open = queue.openId.value === item.id;
  const inert = queue.inertId.value === item.id;
  return (
    <RequestRow {...{ item, open, inert, first }} id={item.id} title={item.title} from={<RequestFrom item={item} />}>
      <Body item={item} inert={inert} />
    </RequestRow>
  );
}

/** What stands below the heading for each kind: a new one does not compile before it is here. */
const BODIES: { readonly [K in AttentionItem["kind"]]: (props: { item: Of<K>; inert: boolean }) => VNode } = {
  permission: PermissionBody,
  plan: PlanReview,
  budget: BudgetBody,
  answer: AnswerBody,
};

function Body({ item, inert }: { item: AttentionItem; inert: boolean }) {
  const Choice = BODIES[item.kind] as FunctionComponent<{ item: AttentionItem; inert: boolean }>;
  return (
    <div class="req-body">
      <RequestError id={item.id} />
      <RequestSaid item={item} />
      <Choice item={item} inert={inert} />
    </div>
  );
}

function PermissionBody({ item, inert }: { item: Of<"permission">; inert: boolean }) {
  const { queue, view } = useModel();
  const [seen, setSeen] = useState(item.preview.type !== "command");
  const field = queue.field.value;
  const unseen = isCut(item, view.expansion) ? t("notWhole") : seen ? null : t("notSeen");
  return (
    <>
      <Preview item={item} onSeen={setSeen} />
      {item.warnings.map((warning) => (
        <WarningLine key={warning} text={warning} />
      ))}
      {item.reason !== "" && <p class="req-note">{item.reason}</p>}
      <RequestTold item={item} />
      {field?.id === item.id ? (
        <ChoiceField item={item} field={field.field} unseen={unseen} inert={inert} />
      ) : (
        <PermissionChoices item={item} unseen={unseen} inert={inert} />
      )}
    </>
  );
}

/** What a tool call will do. `onSeen`: whether all of a command that no rule covers has been on the screen. */
export function Preview({ item, onSeen }: { item: Of<"permission">; onSeen: (seen: boolean) => void }) {
  const { preview } = item;
  if (preview.type === "command") return <Command preview={preview} onSeen={onSeen} />;
  if (preview.type === "edit") return <Diff request={item.id} preview={preview} />;
  return <Input request={item.id} preview={preview} />;
}

type JsonPreview = Extract<Of<"permission">["preview"], { type: "json" }>;

/** What a tool is given, as JSON; where it is cut, with a way to all of it. */
function Input({ request, preview: { text, omitted = 0 } }: { request: string; preview: JsonPreview }) {
  const openWhole = useOpenWhole(request);
  return (
    <>
      <figure
        class="cmd cmd-json"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what will happen can be reached and copied by keyboard
        tabIndex={0}
        aria-label={t("input")}
      >
        <VisibleText text={omitted > 0 ? `${text}…` : text} />
      </figure>
      {omitted > 0 && (
        <button type="button" class="link" onClick={openWhole}>
          {count("restOfInput", omitted)}
        </button>
      )}
    </>
  );
}

function AnswerBody({ item, inert }: { item: Of<"answer">; inert: boolean }) {
  const { writeTo } = useModel();
  if (item.failure) return <FailureBody item={item} inert={inert} />;
  return (
    <>
      <Markdown text={item.text} style={IN_REQUEST} class="req-said" />
      <div class="req-row">
        <ChoiceButton
          label={t("answer")}
          hint={t("answerHint", modifierName())}
          look="primary"
          choice="primary"
          held={inert}
          onClick={() => writeTo(item.from.name)}
        />
      </div>
    </>
  );
}

/** What is spent, and by how much more it may become. */
function BudgetBody({ item, inert }: { item: Of<"budget">; inert: boolean }) {
  const { post } = useModel();
  const spent = costOf(item.spent, item.limit);
  const raise = (to: number | null) => post({ type: "raiseBudget", member: item.member, to });
  return (
    <>
      <p class="req-note">
        {item.member === null ? t("budgetTeam", spent) : t("budgetMember", item.from.displayName, spent)}
      </p>
      <div class="req-row">
        <ChoiceButton
          label={t("raiseTo", dollars(item.next))}
          look="primary"
          choice="primary"
          held={inert}
          onClick={() => raise(item.next)}
        />
        <ChoiceButton label={t("otherAmount")} look="plain" held={inert} onClick={() => raise(null)} />
      </div>
    </>
  );
}

/** A lead whose run failed: why, and what may help. */
function FailureBody({ item, inert }: { item: Of<"answer">; inert: boolean }) {
  const { post, writeTo } = useModel();
  const { sent, again } = useTryAgain(item);
  const help = item.failure === "key" ? "setApiKey" : item.failure === "server" && "setBaseUrl";
  return (
    <>
      <ErrorLine text={item.text} />
      <div class="req-row">
        <ChoiceButton
          label={t("tryAgain")}
          look="primary"
          choice="primary"
          held={inert || sent}
          {...(sent ? { hint: t("sent", nameOf(item.from)) } : {})}
          onClick={again}
        />
        {help && <ChoiceButton label={t(help)} look="plain" onClick={() => post({ type: "command", command: help })} />}
        <ChoiceButton label={t("answer")} look="ghost" held={inert} onClick={() => writeTo(item.from.name)} />
      </div>
    </>
  );
}

/** Sends the lead on, once: not again before that was refused, for the request goes only some time after it was taken. */
function useTryAgain({ from }: Of<"answer">): { sent: boolean; again: () => void } {
  const { sentMessages, outcome } = useModel();
  const [intent, setIntent] = useState<string | null>(null);
  const answer = outcome.value;
  const refused = answer !== null && answer.intent === intent && answer.error !== null;
  useEffect(() => {
    if (refused) setIntent(null);
  }, [refused]);
  return { sent: intent !== null, again: () => setIntent(sentMessages.say(from.name, t("tryAgainWords"))) };
}
