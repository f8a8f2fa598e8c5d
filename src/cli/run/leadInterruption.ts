import type { Disposable } from "../../base/disposable.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { TeamSession } from "../../team/types.ts";
import { AGAIN_MS } from "./signals.ts";

const AGAIN = `Ctrl-C again within ${AGAIN_MS / 1_000} s ends the team.`;

/** What the first Ctrl-C of a run does. */
export interface LeadInterruption extends Disposable {
  /** Whether the run counts as interrupted: it does unless another run of the lead has followed. */
  stands(): boolean;
  /** Ends the lead's run, if one goes on, and says what was done and what the next Ctrl-C does. */
  interrupt(): void;
}

/** Watches the lead of `session` until it is disposed, so that Ctrl-C says what it did. `say` shows a sentence. */
export function leadInterruption(
  session: Pick<TeamSession, "events" | "interrupt">,
  say: (sentence: string) => void,
): LeadInterruption {
  let stands = false;
  let running = false;
  const listening = session.events((event) => {
    if (event.type !== "member_state" || event.member !== LEAD_NAME) return;
    const runs = event.state === "working" || event.state === "waiting"; // a run may go from one to the other
    if (runs && !running) stands = false;
    running = runs;
  });
  return {
    stands: () => stands,
    interrupt() {
      if (!running) return say(AGAIN);
      say(`The lead is interrupted. ${AGAIN}`);
      stands = true;
      void session.interrupt(LEAD_NAME); // of this process: it cannot fail
    },
    dispose: () => listening.dispose(),
  };
}
