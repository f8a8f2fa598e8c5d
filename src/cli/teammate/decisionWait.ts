import type { Disposable } from "../../base/disposable.ts";
import type { Event } from "../../base/emitter.ts";
import { SerialQueue } from "../../base/serial.ts";
import type { TeamSnapshot } from "../../store/snapshot.ts";
import type { Store } from "../../store/store.ts";
import { isLive } from "../teamReport.ts";

/** What a member that waits for a decision waits for. `here`: it runs in this terminal, where it can be interrupted. */
export async function decisionWait(store: Store, snapshot: TeamSnapshot, place: "here" | "elsewhere"): Promise<string> {
  if (await isLive(store, snapshot)) return "Waits for a decision where the lead runs, in its window or terminal.";
  const wayOut = place === "here" ? ": Ctrl-C takes the request back." : " now.";
  return `Waits for a decision, but nobody is known to lead the team${wayOut}`;
}

/** Tells what a member waits for, and that it waits no more. `waits`: a sentence or null, asked for at each change. */
export function tellWaits(
  waits: () => Promise<string | null>,
  changed: Event<unknown>,
  tell: (sentence: string | null) => void,
): Disposable {
  const queue = new SerialQueue();
  let told: string | null = null;
  let isOver = false;
  const look = async () => {
    const now = await waits();
    if (isOver || now === told) return;
    told = now;
    tell(now);
  };
  const lookNext = () => void queue.run("look", look).catch(() => {}); // the next change asks again
  lookNext();
  const listening = changed(lookNext);
  return {
    dispose() {
      isOver = true;
      listening.dispose();
    },
  };
}
