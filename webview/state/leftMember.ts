import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { MemberRef, PanelState } from "../../src/protocol/panel.ts";
import { draftKey } from "./sentMessages.ts";
import { giveBackDraft, type ReadingImages, setDraft, setDraftImages, type ViewState } from "./viewState.ts";

/**
 * The chosen member where it has left with something in its draft: that waits for another recipient. Null again once one is
 * chosen, or the member is back. What comes into the draft later, as a message that was not taken, does not count: the
 * person may be writing to somebody else by then.
 */
export function followLeaving(panel: ReadonlySignal<PanelState>, view: ViewState): ReadonlySignal<MemberRef | null> {
  const left = signal<MemberRef | null>(null);
  let seen: MemberRef | null = null;
  let gone: string | null = null;
  effect(() => {
    const state = panel.value;
    const name = view.member.value;
    const members = state.screen === "team" ? state.members : [];
    const here = members.find((member) => member.name === name);
    if (here || name === null || members.length === 0) {
      seen = here ?? seen;
      gone = null;
      left.value = null;
    } else if (gone !== name) {
      gone = name;
      const known = seen?.name === name ? seen : null;
      left.value = hasDraft(view, name) ? (known ?? unknown(name)) : null;
    }
  });
  return left;
}

/** Chooses a member. What waits in the draft of one that has left goes along, before what is in its own. */
export function chooseInstead(view: ViewState, left: MemberRef | null, name: string): void {
  batch(() => {
    if (left && left.name !== name) passOnDraft(view, draftKey(left.name), draftKey(name));
    view.member.value = name;
  });
}

function passOnDraft(view: ViewState, from: string, to: string): void {
  const whole = { text: view.drafts.peek()[from] ?? "", images: view.images.peek()[from] ?? [] };
  setDraft(view, from, "");
  setDraftImages(view, from, []);
  for (const images of readFor(view, from)) images.key = to;
  giveBackDraft(view, view.team.peek(), to, whole);
}

function hasDraft(view: ViewState, name: string): boolean {
  const key = draftKey(name);
  const [text = "", images = []] = [view.drafts.peek()[key], view.images.peek()[key]];
  return text.trim() !== "" || images.length > 0 || readFor(view, key).length > 0;
}

function readFor(view: ViewState, key: string): ReadingImages[] {
  return [...view.reading].filter((images) => images.key === key && images.team === view.team.peek());
}

/** After a reload nothing but the name is there. */
function unknown(name: string): MemberRef {
  return { name, displayName: name, color: null, role: "teammate" };
}
