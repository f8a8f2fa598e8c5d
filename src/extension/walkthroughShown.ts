import * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";

/** VS Code knows the walkthrough that long after its page has opened, in ms: mostly, and at the latest. */
const KNOWN_MS = [1_500, 6_000];

/**
 * Calls some time after a page is in front that may hold the walkthrough, and once more later: VS Code tells no extension
 * which page that is, nor when the walkthrough's steps hear of keys.
 */
export function whenWalkthroughShown(listener: () => void): Disposable {
  let timers: NodeJS.Timeout[] = [];
  const stop = () => timers.forEach(clearTimeout);
  const look = (tabs: readonly vscode.Tab[]) => {
    if (!tabs.some(({ isActive, input }) => isActive && input === undefined)) return;
    stop();
    timers = KNOWN_MS.map((ms) => setTimeout(listener, ms));
  };
  const changing = vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => look([...opened, ...changed]));
  look(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  return {
    dispose: () => {
      changing.dispose();
      stop();
    },
  };
}
