import * as vscode from "vscode";
import { DisposableStore } from "../base/disposable.ts";
import type { Logger } from "../base/logger.ts";
import { type ApiKey, createApiKey, hasKey } from "./apiKey.ts";
import { createContextKeys, type SetKeys } from "./contextKeys.ts";
import { createSay, type Say } from "./displayLanguage.ts";
import { createFirstSteps, type FirstStep } from "./firstSteps.ts";
import { channelLogger } from "./log.ts";
import { TeamTree } from "./members/teamTree.ts";
import { serverAddress } from "./serverAddress.ts";
import { StatusBar } from "./statusBar.ts";
import { whenWalkthroughShown } from "./walkthroughShown.ts";

/** What is there as soon as the window is: it costs next to nothing. */
export interface WindowParts {
  /** Owns everything that lives as long as the window. */
  readonly owned: DisposableStore;
  readonly extension: vscode.Uri;
  readonly state: vscode.Memento;
  readonly channel: vscode.LogOutputChannel;
  readonly log: Logger;
  readonly apiKey: ApiKey;
  readonly tree: TeamTree;
  readonly statusBar: StatusBar;
  readonly setKeys: SetKeys;
  /** Notes what the person has done once. */
  readonly didFirst: (step: FirstStep) => void;
  /** Our own sentences in the display language. */
  readonly say: Say;
}

/** Makes the parts; `owned` of the result disposes of all of them. */
export function createWindowParts(context: vscode.ExtensionContext): WindowParts {
  const owned = new DisposableStore();
  const channel = owned.add(vscode.window.createOutputChannel(vscode.l10n.t("Agent Teams"), { log: true }));
  const log = channelLogger(channel, () => apiKey.seen());
  const apiKey = owned.add(createApiKey(context.secrets, process.env, log));
  const say = createSay(vscode.l10n.bundle);
  const setKeys = createContextKeys();
  const parts: WindowParts = {
    ...{ owned, extension: context.extensionUri, state: context.workspaceState, channel, log, apiKey, say },
    tree: owned.add(new TeamTree(say)),
    statusBar: owned.add(new StatusBar()),
    setKeys,
    didFirst: createFirstSteps(
      context.globalState,
      setKeys,
      (listener) => void owned.add(whenWalkthroughShown(listener)),
    ),
  };
  const keys = () => {
    const server = serverAddress(vscode.workspace.getConfiguration("muster").get("baseUrl"), process.env);
    const isThere = hasKey(apiKey, server);
    parts.setKeys({ ready: true, hasKey: isThere, hasStoredKey: apiKey.source === "stored" });
    if (isThere) parts.didFirst("gaveKey");
  };
  owned.add(apiKey.onDidChange(keys));
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("muster.baseUrl") && keys()),
  );
  keys();
  return parts;
}
