import type { Disposable } from "../../base/disposable.ts";
import type { Event } from "../../base/emitter.ts";
import type { Hold } from "../../protocol/team.ts";

/**
 * Says in a member's terminal that it stands still, now or from then on, and that it does so no more. `hold`: what holds it
 * back; asked at each `changed`.
 */
export function tellPauses(hold: () => Hold | null, changed: Event<void>, say: (sentence: string) => void): Disposable {
  let told: string | null = null;
  const look = () => {
    const by = hold()?.by ?? null;
    if (by === told) return;
    told = by;
    if (by === null) say("It goes on.");
    else say(by === "budget" ? "Paused: the budget is used up." : "Paused: nobody works now.");
  };
  look();
  return changed(look);
}
