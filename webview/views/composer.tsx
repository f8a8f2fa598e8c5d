import type { TargetedKeyboardEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MemberRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { type Model, shownName, useModel } from "../model.ts";
import { setDraft } from "../state/viewState.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { useWantedFocus } from "../ui/wantedFocus.ts";
import { Dot } from "../ui/who.tsx";

/** Messages that ↑ can bring back. */
const HISTORY = 20;

/** Writes to the member that is chosen. Each recipient has its own draft. */
export function Composer({ members }: { members: readonly MemberRow[] }) {
  const model = useModel();
  const { member, view, chooseMember } = model;
  const to = member.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const { send, error } = useSend();
  useWantedFocus("composer", field);
  if (!to) return null;
  const key = `to:${to.name}`;
  const text = view.drafts.value[key] ?? "";
  return (
    <form
      class="cmp"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {error !== null && <p class="cmp-error">{error}</p>}
      <textarea
        ref={field}
        rows={1}
        placeholder={t("writeTo", shownName(to))}
        aria-label={t("messageTo", shownName(to))}
        value={text}
        onInput={(event) => setDraft(view, key, event.currentTarget.value)}
        onKeyDown={(event) => composerKeys(event, model, key, send)}
      />
      <div class="cmp-bar">
        <label class="cmp-to">
          <span class="quiet">{t("to")}</span>
          <Dot member={to} />
          <select
            aria-label={t("recipient")}
            value={to.name}
            onChange={(event) => chooseMember(event.currentTarget.value)}
          >
            {members.map((row) => (
              <option key={row.name} value={row.name}>
                {nameOf(row)}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" />
        </label>
        <IconButton icon="send" label={t("send")} onClick={send} />
      </div>
    </form>
  );
}

/** Sends the draft. When it was not taken, the text comes back with the reason. */
function useSend(): { send: () => void; error: string | null } {
  const { ask, view, member, outcome, announcer } = useModel();
  const [sent, setSent] = useState<{ intent: string; key: string; text: string } | null>(null);
  const [error, setError] = useState<string | null>(null);
  const answer = outcome.value;
  useLayoutEffect(() => {
    if (!sent || answer?.intent !== sent.intent) return;
    setSent(null);
    setError(answer.error);
    if (answer.error === null) return;
    const typed = view.drafts.peek()[sent.key] ?? "";
    setDraft(view, sent.key, typed === "" ? sent.text : `${sent.text}\n${typed}`);
  }, [answer, sent, view]);
  const send = () => {
    const to = member.peek();
    if (!to) return;
    const key = `to:${to.name}`;
    const text = (view.drafts.peek()[key] ?? "").trim();
    if (text === "") return;
    setError(null);
    const intent = ask((id) => ({ type: "send", intent: id, to: to.name, text }));
    setSent({ intent, key, text });
    setDraft(view, key, "");
    view.sent.value = [...view.sent.peek().filter((other) => other !== text), text].slice(-HISTORY);
    announcer.say(t("sent", nameOf(to)));
  };
  return { send, error };
}

/** Enter sends, unless an input method is still composing; ↑ in an empty field goes back through what was sent. */
function composerKeys(
  event: TargetedKeyboardEvent<HTMLTextAreaElement>,
  model: Model,
  key: string,
  send: () => void,
): void {
  if (event.isComposing || event.keyCode === 229) return;
  const field = event.currentTarget;
  const plain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === "Enter" && plain) {
    event.preventDefault();
    send();
  } else if (event.key === "ArrowUp" && plain) {
    const sent = model.view.sent.peek();
    const at = field.value === "" ? sent.length : sent.indexOf(field.value);
    const earlier = field.selectionStart === field.selectionEnd && at >= 0 ? sent[at - 1] : undefined;
    if (earlier === undefined) return;
    event.preventDefault();
    setDraft(model.view, key, earlier);
  }
}
