import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";

/** What a terminal sends, in the pieces in which it comes. Dispose to stop; a key that has only begun is lost. */
export interface WholeKeys extends Disposable {
  feed(chunk: string): void;
}

/** How long the rest of a key may take, in ms: after that its beginning was all of it, such as Esc. */
const REST_MS = 50;
/** The beginning of a key at the end of a chunk: Esc, or more of a sequence that has not ended. */
const BEGINNING = /(?<!\x1b)\x1b+(?:\[\[?[0-?]*[ -/]*|O\d?)?$/;

/** Hands over what a terminal sends so that no key is cut in two. What has only begun waits for its rest, nothing else does. */
export function createWholeKeys(take: (data: string) => void, clock: Clock): WholeKeys {
  let begun = "";
  let waiting: AbortController | null = null;
  const stopWaiting = () => {
    waiting?.abort();
    waiting = null;
  };
  const waitForRest = () => {
    const wait = new AbortController();
    waiting = wait;
    const over = () => {
      if (waiting !== wait) return;
      const key = begun;
      [begun, waiting] = ["", null];
      take(key);
    };
    clock.sleep(REST_MS, wait.signal).then(over, () => undefined); // aborted: the rest came, or it was closed
  };
  return {
    feed(chunk) {
      const data = begun + chunk;
      begun = BEGINNING.exec(data)?.[0] ?? "";
      const whole = data.slice(0, data.length - begun.length);
      if (whole !== "") stopWaiting(); // else it is the same key, which waits no longer for a further piece
      if (begun !== "" && waiting === null) waitForRest();
      if (whole !== "") take(whole);
    },
    dispose: stopWaiting,
  };
}
