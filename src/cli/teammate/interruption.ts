import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { isBusy } from "../../protocol/team.ts";
import type { MemberProcess } from "../../team/process/memberProcess.ts";

/** How soon the second press must come that ends a teammate, in ms. */
const AGAIN_MS = 3_000;

/** What Esc and Ctrl-C do in a teammate's terminal. */
export interface Interruption extends Disposable {
  /** One of them was pressed. */
  press(): void;
}

/**
 * A press ends the run that goes on, if any, and says what a second one within three seconds does: it ends the teammate.
 * `say` shows a sentence.
 */
export function createInterruption(
  member: Pick<MemberProcess, "view" | "onDidChange" | "interrupt" | "endForGood">,
  say: (sentence: string) => void,
  clock: Pick<Clock, "now">,
): Interruption {
  let asked = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  const listening = member.onDidChange(() => {
    if (!isBusy(member.view.state)) asked = false;
  });
  return {
    press() {
      const now = clock.now();
      if (isBusy(member.view.state) && !asked) {
        asked = true;
        member.interrupt();
      } else if (now - toldAt <= AGAIN_MS) return member.endForGood();
      toldAt = now;
      say(`Press Esc or Ctrl-C again within ${AGAIN_MS / 1_000} s to end this teammate.`);
    },
    dispose: () => listening.dispose(),
  };
}
