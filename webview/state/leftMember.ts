import { batch, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { MemberRef, PanelState } from "../../src/protocol/panel.ts";
import { draftKey, type SentMessages } from "./sentMessages.ts";
import { giveBackDraft, readingFor, setDraft, setDraftImages, type ViewState } from "./viewState.ts";

/** Members that have left with something in their drafts, or under the caret. */
export interface LeftMembers {
  /** Whose draft stands in the composer until another recipient is chosen, or it is empty and the person has left it. */
  readonly shown: ReadonlySignal<MemberRef | null>;
  /** The others: theirs can be shown. */
  readonly waiting: ReadonlySignal<readonly MemberRef[]>;
  /** Whether the caret stands in the composer: meanwhile no other draft comes into it by itself. */
  readonly writing: Signal<boolean>;
  readonly show: (name: string) => void;
  /** Chooses a member: its own draft is shown, and that of one that has left waits. */
  readonly choose: (name: string) => void;
}

/**
 * The draft of the chosen member is shown when it leaves. What comes into that draft later, as a message that was not
 * taken, is shown only while nothing is written to whom the composer writes to instead (`member`): what the person types
 * then is for that one. Whom the person has begun to write to stays chosen, whoever comes or goes.
 */
export function followLeaving(
  panel: ReadonlySignal<PanelState>,
  view: ViewState,
  member: ReadonlySignal<MemberRef | null>,
): LeftMembers {
  const name = signal<string | null>(null);
  const shown = signal<MemberRef | null>(null);
  const waiting = signal<readonly MemberRef[]>([]);
  const writing = signal(false);
  const refOf = rememberMembers(panel);
  let team: string | null = null;
  let goneBefore: string | null = null;
  let before: readonly string[] = [];
  effect(() => {
    const state = panel.value;
    const members = state.screen === "team" ? state.members : [];
    const isThere = (one: string) => members.some((row) => row.name === one);
    const isGone = (one: string) => members.length > 0 && !isThere(one);
    const left = writtenTo(view).filter(isGone);
    const chosen = view.member.value;
    const gone = chosen !== null && isGone(chosen) ? chosen : null;
    const stays = (one: string) => left.includes(one) || (writing.value && isGone(one));
    const free = !writing.value && !(member.value && hasDraft(view, member.value.name));
    const isNew = gone !== null && stays(gone) && (gone !== goneBefore || (free && !before.includes(gone)));
    const held = team === view.team.value ? name.value : null;
    const now = held !== null && stays(held) ? held : isNew ? gone : null;
    const stayed = held !== null && isThere(held) ? held : gone && (member.value?.name ?? null);
    team = view.team.value;
    goneBefore = gone;
    before = left;
    batch(() => {
      name.value = now;
      shown.value = now === null ? null : refOf(now);
      waiting.value = left.filter((one) => one !== now).map(refOf);
      if (writing.value && now === null && stayed !== null) view.member.value = stayed;
    });
  });
  return {
    shown,
    waiting,
    writing,
    show: (one) => {
      name.value = one;
    },
    choose: (one) =>
      batch(() => {
        name.value = null;
        view.member.value = one;
      }),
  };
}

/**
 * What waits in the draft of a member that has left goes to the one that gets it instead, before what is in its own; what
 * was wrong with it does not.
 */
export function passOn(view: ViewState, left: MemberRef | null, to: string, tell: SentMessages["tell"]): void {
  if (!left || left.name === to) return;
  batch(() => {
    passOnDraft(view, draftKey(left.name), draftKey(to));
    tell(draftKey(left.name), null);
  });
}

function passOnDraft(view: ViewState, from: string, to: string): void {
  const whole = { text: view.drafts.peek()[from] ?? "", images: view.images.peek()[from] ?? [] };
  setDraft(view, from, "");
  setDraftImages(view, from, []);
  for (const images of readingFor(view, from)) images.key = to;
  view.reading.value = [...view.reading.peek()];
  giveBackDraft(view, view.team.peek(), to, whole);
}

/** Whether there is something for a member that was not sent. */
function hasDraft(view: ViewState, name: string): boolean {
  const key = draftKey(name);
  const [text = "", images = []] = [view.drafts.value[key], view.images.value[key]];
  return text.trim() !== "" || images.length > 0 || readingFor(view, key).length > 0;
}

/** The names of the members that have something in their drafts. */
function writtenTo(view: ViewState): string[] {
  const reading = view.reading.value.map(({ key }) => key);
  const keys = new Set([...Object.keys(view.drafts.value), ...Object.keys(view.images.value), ...reading]);
  const to = draftKey("");
  const names = [...keys].flatMap((key) => (key.startsWith(to) ? [key.slice(to.length)] : []));
  return names.filter((name) => hasDraft(view, name));
}

/** Knows the members of the team on show by name, also once they are gone; after a reload of those nothing but the name. */
function rememberMembers(panel: ReadonlySignal<PanelState>): (name: string) => MemberRef {
  const known = new Map<string, MemberRef>();
  let team: string | null = null;
  effect(() => {
    const state = panel.value;
    if (state.screen !== "team") return;
    if (state.team !== team) known.clear();
    team = state.team;
    for (const member of state.members) known.set(member.name, member);
  });
  return (name) => {
    const member = known.get(name) ?? { name, displayName: name, color: null, role: "teammate" };
    known.set(name, member);
    return member;
  };
}
