import type * as vscode from "vscode";
import type { SetKeys } from "./contextKeys.ts";

/** What the walkthrough ticks off; each is a context key. */
const STEPS = ["ranDemo", "gaveKey", "ranTeam", "decided", "sawChanges"] as const;
export type FirstStep = (typeof STEPS)[number];

/** Where it is kept, for all windows. */
const KEY = "muster.firstSteps";

/**
 * Notes what the person has done once, wherever in the window: from then on, in every window, its step of the walkthrough
 * is done. VS Code hears nothing of a command that the extension itself runs, and ticks a step off only where its key
 * changes once it knows the walkthrough: so keys are set from when `whenShown` calls back, with what was done before.
 */
export function createFirstSteps(
  kept: vscode.Memento,
  setKeys: SetKeys,
  whenShown: (listener: () => void) => void,
): (step: FirstStep) => void {
  const stored = kept.get<unknown>(KEY);
  const done = new Set(STEPS.filter((step) => Array.isArray(stored) && stored.includes(step)));
  let shown = false;
  const tell = () => setKeys(Object.fromEntries([...done].map((step) => [step, true])));
  whenShown(() => {
    shown = true;
    tell();
  });
  return (step) => {
    if (done.has(step)) return;
    done.add(step);
    if (shown) tell();
    void kept.update(KEY, [...done]);
  };
}
