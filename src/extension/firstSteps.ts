import type * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";
import type { TeamSession } from "../team/types.ts";
import type { SetKeys } from "./contextKeys.ts";

/** What the walkthrough ticks off; each is a context key. */
const STEPS = ["ranDemo", "gaveKey", "ranTeam", "decided", "sawChanges"] as const;
export type FirstStep = (typeof STEPS)[number];

/** Where it is kept, for all windows. */
const KEY = "muster.firstSteps";

/**
 * Notes what the person has done once, wherever in the window: from then on, in every window, its step of the walkthrough
 * is done. VS Code hears nothing of a command that the extension itself runs, and ticks a step off only where its key
 * changes once it knows the walkthrough: so keys are set, and where they were set before set anew, whenever `whenShown`
 * calls back.
 */
export function createFirstSteps(
  kept: vscode.Memento,
  setKeys: SetKeys,
  whenShown: (listener: () => void) => void,
): (step: FirstStep) => void {
  const done = new Set<FirstStep>();
  const read = () => {
    const stored = kept.get<unknown>(KEY);
    for (const step of STEPS) if (Array.isArray(stored) && stored.includes(step)) done.add(step);
  };
  const set = (value: boolean) => setKeys(Object.fromEntries([...done].map((step) => [step, value])));
  let shown = false;
  read();
  whenShown(() => {
    shown = true;
    read(); // another window may have done one meanwhile
    set(false);
    set(true);
  });
  return (step) => {
    if (done.has(step)) return;
    read();
    done.add(step);
    if (shown) set(true);
    void kept.update(KEY, [...done]);
  };
}

/** Notes what the person does with a team that this window runs. */
export function noteFirstSteps(
  { scripted, events }: Pick<TeamSession, "scripted" | "events">,
  did: (step: FirstStep) => void,
): Disposable {
  did(scripted ? "ranDemo" : "ranTeam");
  return events((event) => {
    if (event.type === "decision" && event.by === "person") did("decided");
  });
}
