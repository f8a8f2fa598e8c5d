import { batch } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MemberRef, MemberRow } from "../../src/protocol/panel.ts";
import { nameOf, shortened } from "../format.ts";
import { t } from "../l10n.ts";
import { type Model, shownName, useModel } from "../model.ts";
import { completed, fileReference, type Mention, mentionAt } from "../state/composerWork.ts";
import { passOn } from "../state/leftMember.ts";
import { draftKey } from "../state/sentMessages.ts";
import { setDraft } from "../state/viewState.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { useWantedFocus } from "../ui/wantedFocus.ts";
import { Dot } from "../ui/who.tsx";
import { AddImage, fileDrop, ImageChips, pastedFiles, useDraftImages } from "./composerImages.tsx";
import { MENTIONS, Mentions, mentionId, type Offer, offersOf } from "./mentions.tsx";

/** Writes to the member that is chosen. Each recipient has its own draft; that of one that has left waits for another. */
export function Composer({ members }: { members: readonly MemberRow[] }) {
  const { member, left } = useModel();
  const to = member.value;
  return to && <Draft to={left.shown.value ?? to} hasLeft={left.shown.value !== null} members={members} />;
}

/** The person changes a draft: what was wrong with the one before does not count for it. */
function changeDraft({ view, sentMessages }: Model, key: string, text: string): void {
  setDraft(view, key, text);
  sentMessages.tell(key, null);
}

interface DraftProps {
  to: MemberRef;
  /** Nothing is sent until another recipient is chosen. */
  hasLeft: boolean;
  members: readonly MemberRow[];
}

const LEFT = "cmp-left";

/** A name that may be long, in a sentence; the whole one is the hover text. */
const short = (name: string) => shortened(name, 32);

function Draft({ to, hasLeft, members }: DraftProps) {
  const model = useModel();
  const { view, chooseMember, sentMessages, left } = model;
  const key = draftKey(to.name);
  const field = useRef<HTMLTextAreaElement>(null);
  const { images, add, reading, remove } = useDraftImages(key);
  const send = useSend(to, hasLeft, reading);
  const mention = useMention(field, key);
  useWantedFocus("composer", field);
  useInserted(key);
  const leave = () => {
    left.writing.value = false;
  };
  useEffect(() => leave, [left]);
  const give = (name: string) =>
    batch(() => {
      passOn(view, left.shown.peek(), name, sentMessages.tell);
      chooseMember(name);
    });
  const problem = sentMessages.errors.value[key];
  const text = view.drafts.value[key] ?? "";
  const label = t("messageTo", shownName(to));
  return (
    <form
      class="cmp"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const stays = [relatedTarget, document.activeElement]; // the second: only the window has lost the focus
        if (!stays.some((element) => element instanceof Node && currentTarget.contains(element))) leave();
      }}
      {...fileDrop(add)}
    >
      <KeptDraft />
      {hasLeft && (
        <p id={LEFT} class="cmp-error" title={nameOf(to)}>
          {t("recipientLeft", short(nameOf(to)))}
        </p>
      )}
      {problem !== undefined && <p class="cmp-error">{problem}</p>}
      {mention.offers.length > 0 && (
        <Mentions offers={mention.offers} chosen={mention.chosen} onChoose={mention.choose} />
      )}
      <ImageChips images={images} remove={remove} />
      <textarea
        ref={field}
        rows={1}
        placeholder={t("writeTo", short(shownName(to)))}
        aria-label={label}
        title={text === "" ? label : undefined}
        aria-describedby={hasLeft ? LEFT : undefined}
        {...mention.aria}
        value={text}
        onInput={(event) => {
          changeDraft(model, key, event.currentTarget.value);
          mention.look();
        }}
        onFocus={() => {
          left.writing.value = true;
        }}
        onSelect={mention.look}
        onBlur={mention.close}
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          add(files);
        }}
        onKeyDown={(event) => {
          if (!mention.keys(event)) composerKeys(event, model, key, send);
        }}
      />
      <div class="cmp-bar">
        <Recipient to={to} hasLeft={hasLeft} members={members} onChange={give} />
        <span class="cmp-actions">
          <IconButton icon="mention" label={t("referToFile")} onClick={mention.begin} />
          <AddImage add={add} />
          <IconButton icon="send" label={t("send")} onClick={send} />
        </span>
      </div>
    </form>
  );
}

/** The way to the draft of a member that left while it was not in the field; of several, one after the other. */
function KeptDraft() {
  const { left, announcer, focus } = useModel();
  const [member] = left.waiting.value;
  const sentence = member && t("draftKept", nameOf(member));
  useEffect(() => {
    if (sentence) announcer.say(sentence);
  }, [sentence, announcer]);
  if (!member) return null;
  const show = () => {
    left.show(member.name);
    focus.value = { kind: "composer" };
  };
  return (
    <p class="cmp-kept" title={nameOf(member)}>
      {t("draftKept", short(nameOf(member)))}{" "}
      <button type="button" class="link" onClick={show}>
        {t("showDraft")}
      </button>
    </p>
  );
}

/** Sends the draft; where its member has left, says again that there is a choice to make. */
function useSend(to: MemberRef, hasLeft: boolean, reading: () => Promise<boolean> | null): () => void {
  const { sentMessages, announcer, left } = useModel();
  const sayLeft = () => announcer.say(t("recipientLeft", nameOf(to)));
  useEffect(() => {
    if (hasLeft) sayLeft();
  }, [hasLeft, to.name]);
  const send = () => {
    const read = reading(); // the message takes along what was given to it, or stays a draft
    if (read) void read.then((whole) => whole && send());
    else if (left.shown.peek()?.name === to.name) sayLeft();
    else if (sentMessages.send(to.name)) announcer.say(t("sent", nameOf(to)));
  };
  return send;
}

interface RecipientProps extends DraftProps {
  onChange: (name: string) => void;
}

function Recipient({ to, hasLeft, members, onChange }: RecipientProps) {
  return (
    <label class="cmp-to" title={nameOf(to)}>
      <span class="quiet">{t("to")}</span>
      <Dot member={to} />
      <select aria-label={t("recipient")} value={to.name} onChange={(event) => onChange(event.currentTarget.value)}>
        {hasLeft && (
          <option key={to.name} value={to.name} disabled>
            {nameOf(to)}
          </option>
        )}
        {members.map((row) => (
          <option key={row.name} value={row.name}>
            {nameOf(row)}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </label>
  );
}

/** The reference that is being typed, what it can be, and the keys for it. */
function useMention(field: { current: HTMLTextAreaElement | null }, key: string) {
  const model = useModel();
  const { composer, post } = model;
  const [mention, setMention] = useState<Mention | null>(null);
  const [chosen, setChosen] = useState(0);
  const [closed, setClosed] = useState<number | null>(null);
  const offers = mention && mention.start !== closed ? offersOf(composer.files.value) : [];
  const at = Math.min(chosen, offers.length - 1);
  const close = () => {
    setMention(null);
    composer.find(null);
  };
  useLayoutEffect(close, [key]); // another member's draft
  const look = () => {
    const area = field.current;
    const found = area && area.selectionStart === area.selectionEnd ? mentionAt(area.value, area.selectionStart) : null;
    if (!found) setClosed(null);
    if (found?.typed !== mention?.typed) setChosen(0);
    setMention(found);
    composer.find(found?.typed ?? null);
  };
  const put = (area: HTMLTextAreaElement, text: string, caret: number) => {
    area.value = text; // at once, with its caret: the next key may come before the next frame
    area.focus();
    area.setSelectionRange(caret, caret);
    changeDraft(model, key, text);
  };
  const choose = (offer: Offer) => {
    const area = field.current;
    if (!area || !mention) return;
    const next = completed(area.value, mention, offer.kind === "file" ? fileReference(offer.path) : "");
    put(area, next.text, next.caret);
    close();
    if (offer.kind === "selection") post({ type: "command", command: "sendSelection" });
  };
  const begin = () => {
    const area = field.current;
    if (!area) return;
    const head = area.value.slice(0, area.selectionStart);
    const text = `${head}${head === "" || /\s$/.test(head) ? "" : " "}@`;
    put(area, text + area.value.slice(area.selectionEnd), text.length);
    look();
  };
  const keys = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (offers.length === 0 || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return false;
    const offer = offers[at];
    if (event.key === "ArrowDown") setChosen((at + 1) % offers.length);
    else if (event.key === "ArrowUp") setChosen((at + offers.length - 1) % offers.length);
    else if ((event.key === "Enter" || event.key === "Tab") && offer) choose(offer);
    else if (event.key === "Escape") setClosed(mention?.start ?? null);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const aria =
    offers.length > 0
      ? { "aria-autocomplete": "list" as const, "aria-controls": MENTIONS, "aria-activedescendant": mentionId(at) }
      : {};
  return { offers, chosen: at, aria, look, close, choose, begin, keys };
}

/** Puts what a command asked for to the end of the draft. */
function useInserted(key: string): void {
  const model = useModel();
  const insert = model.composer.insert.value;
  useLayoutEffect(() => {
    if (insert === null) return;
    model.composer.insert.value = null;
    const draft = model.view.drafts.peek()[key] ?? "";
    const gap = draft === "" || /\s$/.test(draft) ? "" : insert.includes("\n") ? "\n" : " ";
    changeDraft(model, key, draft + gap + insert);
  }, [insert, model, key]);
}

/**
 * Enter sends, unless an input method is still composing; ↑ in an empty field goes back through what was sent, ↓ from
 * there forth again.
 */
function composerKeys(
  event: TargetedKeyboardEvent<HTMLTextAreaElement>,
  model: Model,
  key: string,
  send: () => void,
): void {
  if (event.isComposing || event.keyCode === 229) return;
  const field = event.currentTarget;
  if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter") {
    event.preventDefault();
    send();
    return;
  }
  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  if (step === 0 || field.selectionStart !== field.selectionEnd) return;
  // in a text of several lines the key moves the caret until it stands in the outermost one
  const beyond = step < 0 ? field.value.slice(0, field.selectionStart) : field.value.slice(field.selectionStart);
  if (beyond.includes("\n")) return;
  const sent = model.view.sent.peek();
  const at = field.value === "" ? sent.length : sent.indexOf(field.value);
  const next = at + step === sent.length ? "" : sent[at + step];
  if (at < 0 || next === undefined || (field.value === "" && step > 0)) return;
  event.preventDefault();
  changeDraft(model, key, next);
}
