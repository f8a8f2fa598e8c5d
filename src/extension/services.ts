import * as vscode from "vscode";
import { DisposableStore } from "../base/disposable.ts";
import type { Logger } from "../base/logger.ts";
import { type ApiKey, createApiKey } from "./apiKey.ts";
import { MemberTerminals } from "./backends/inProcessTerminal.ts";
import { RequestDocuments } from "./documents.ts";
import { emptyState } from "./emptyState.ts";
import { handleIntent } from "./intents.ts";
import { channelLogger } from "./log.ts";
import { intentPorts } from "./panelIntents.ts";
import { readSettings, type Settings } from "./settings.ts";
import { showEnded } from "./showEnded.ts";
import { StatusBar } from "./statusBar.ts";
import { keepSurfaces } from "./surfaces.ts";
import { TeamPanel } from "./teamPanel.ts";
import { Teams } from "./teams.ts";
import { TeamTree } from "./teamTree.ts";

/** Everything that lives as long as the window. What is heavy is loaded when it is first needed. */
export interface Services {
  readonly state: vscode.Memento;
  readonly channel: vscode.LogOutputChannel;
  readonly log: Logger;
  readonly apiKey: ApiKey;
  readonly teams: Teams;
  readonly panel: TeamPanel;
  readonly tree: TeamTree;
  readonly statusBar: StatusBar;
  readonly documents: RequestDocuments;
  readonly terminals: MemberTerminals;
  settings(): Settings;
}

/** Makes the services; the extension's context owns them. */
export function createServices(context: vscode.ExtensionContext): Services {
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const channel = owned.add(vscode.window.createOutputChannel("Agent Teams", { log: true }));
  const apiKey = owned.add(createApiKey(context.secrets, process.env));
  const log = channelLogger(channel, () => apiKey.seen());
  const services: Services = {
    ...{ state: context.workspaceState, channel, log, apiKey },
    teams: owned.add(new Teams({ showEnded: (ended) => showEnded(ended, services), log })),
    panel: owned.add(
      new TeamPanel({
        extension: context.extensionUri,
        fallback: () => emptyState(services),
        title: () => services.teams.current?.state().title ?? "",
        onMessage: (message) => void handleIntent(message, intentPorts(services)),
      }),
    ),
    tree: owned.add(new TeamTree()),
    statusBar: owned.add(new StatusBar()),
    documents: owned.add(new RequestDocuments()),
    terminals: owned.add(new MemberTerminals()),
    settings: keptSettings(owned, log),
  };
  owned.add(keepSurfaces(services)); // after the settings, which must hear of a change first
  return services;
}

/** The settings, read anew when they have changed. */
function keptSettings(owned: DisposableStore, log: Logger): () => Settings {
  let kept: Settings | undefined;
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("muster")) kept = undefined;
    }),
  );
  return () => {
    if (kept) return kept;
    const configuration = vscode.workspace.getConfiguration("muster");
    kept = readSettings((name) => configuration.get(name), process.env);
    for (const fault of kept.faults) log.warn(fault);
    return kept;
  };
}
