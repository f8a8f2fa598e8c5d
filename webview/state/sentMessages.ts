import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Intent } from "../../src/protocol/intents.ts";
import { t } from "../l10n.ts";
import { MOST_IMAGES } from "./draftImages.ts";
import { giveBackDraft, type SentMessage, setDraft, setDraftImages, type ViewState } from "./viewState.ts";

/**
 * Messages on their way. What was not taken comes back into its draft, whatever else was sent meanwhile: also in a document
 * that came later, for what is not answered is kept.
 */
export interface SentMessages {
  /** Why a draft of the team on show came back, was not sent or is not whole, by its key. */
  readonly errors: ReadonlySignal<Readonly<Record<string, string>>>;
  /** Says what is wrong with a draft; null where the person has changed it since. */
  readonly tell: (key: string, error: string | null) => void;
  /** Sends the draft of a member; false where there is nothing to send, or too much. */
  readonly send: (to: string) => boolean;
  /** Sends these words instead; they are in the draft where they were not taken. Gives the id of the intent. */
  readonly say: (to: string, text: string) => string;
  /** What became of an intent. Gives the sentence of a message that was sent here and not taken. */
  readonly settle: (intent: string, error: string | null) => string | null;
}

/** Messages that ↑ can bring back. */
const HISTORY = 20;

/** The name of a member's draft. */
export function draftKey(to: string): string {
  return `to:${to}`;
}

/** What was sent before, and is not answered yet, is in `view`. */
export function createSentMessages(post: (intent: Intent) => void, view: ViewState): SentMessages {
  const errors = signal<Readonly<Record<string, string>>>({});
  effect(() => {
    void view.team.value;
    errors.value = {}; // of another team
  });
  const tell = (key: string, error: string | null) => {
    const { [key]: before = null, ...others } = errors.peek();
    if (before !== error) errors.value = error === null ? others : { ...others, [key]: error };
  };
  const sendOff = (to: string, sent: Omit<SentMessage, "team">) => {
    const { text, images } = sent;
    const intent = crypto.randomUUID();
    const withImages = images.length > 0 && { images: images.map(({ data }) => data) };
    view.unanswered.value = { ...view.unanswered.peek(), [intent]: { ...sent, team: view.team.peek() } };
    post({ type: "send", intent, to, text, ...withImages });
    return intent;
  };
  return {
    errors,
    tell,
    send(to) {
      const key = draftKey(to);
      const text = (view.drafts.peek()[key] ?? "").replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
      const images = view.images.peek()[key] ?? [];
      if (text === "" && images.length === 0) return false;
      const tooMany = images.length > MOST_IMAGES;
      tell(key, tooMany ? t("leaveOutImages", MOST_IMAGES) : null);
      if (tooMany) return false;
      const others = view.sent.peek().filter((other) => other !== text);
      batch(() => {
        setDraft(view, key, ""); // kept at once, with the message on its way
        setDraftImages(view, key, []);
        if (text !== "") view.sent.value = [...others, text].slice(-HISTORY);
        sendOff(to, { key, text, images });
      });
      return true;
    },
    say(to, text) {
      const key = draftKey(to);
      tell(key, null);
      return sendOff(to, { key, text, images: [] });
    },
    settle(intent, error) {
      const { [intent]: sent, ...others } = view.unanswered.peek();
      if (!sent) return null;
      batch(() => {
        view.unanswered.value = others;
        if (error === null) return;
        if (sent.team === view.team.peek()) tell(sent.key, error);
        giveBackDraft(view, sent.team, sent.key, sent);
      });
      return error;
    },
  };
}
