import { type ReadonlySignal, signal } from "@preact/signals";

/** What the one polite status region says. */
export interface Announcer {
  readonly text: ReadonlySignal<string>;
  /** Says a sentence. Those that come together are said together. */
  readonly say: (sentence: string) => void;
}

/** How long sentences are gathered, in milliseconds. */
const GATHER_MS = 50;

/** An announcer for one status region. */
export function createAnnouncer(): Announcer {
  const text = signal("");
  let waiting: string[] = [];
  const flush = () => {
    const said = waiting.join(" ");
    waiting = [];
    // A region that gets the text that it has says nothing: a space at the end makes it another text.
    text.value = said === text.peek() ? `${said}\u00a0` : said;
  };
  return {
    text,
    say: (sentence) => {
      if (waiting.length === 0) setTimeout(flush, GATHER_MS);
      waiting.push(/[.!?。]$/.test(sentence) ? sentence : `${sentence}.`);
    },
  };
}
