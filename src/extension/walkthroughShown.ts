import * as vscode from "vscode";
import type { Disposable } from "../base/disposable.ts";

/** VS Code takes so long, at most, to know the walkthrough after its page has opened, in ms. */
const KNOWN_MS = 1_500;

/** Calls once, some time after an editor is there that may be the walkthrough's page: VS Code tells no extension which. */
export function whenWalkthroughShown(listener: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const isThere = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input === undefined));
    if (!isThere) return;
    opening.dispose();
    timer = setTimeout(listener, KNOWN_MS);
  };
  const opening = vscode.window.tabGroups.onDidChangeTabs(look);
  look();
  return {
    dispose: () => {
      opening.dispose();
      clearTimeout(timer);
    },
  };
}
