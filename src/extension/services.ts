import * as vscode from "vscode";
import type { DisposableStore } from "../base/disposable.ts";
import type { Logger } from "../base/logger.ts";
import { machineProcesses, type Processes } from "../store/processIdentity.ts";
import { MemberTerminals } from "./backends/memberTerminals.ts";
import { ChangeDocuments } from "./changes/changeDocuments.ts";
import { followPersonsFiles } from "./changes/personsFiles.ts";
import type { CommandName } from "./commandNames.ts";
import { runCommand } from "./commands.ts";
import { createBoard } from "./panel/boardPorts.ts";
import { emptyState } from "./panel/emptyState.ts";
import { intentPorts } from "./panel/intentPorts.ts";
import { handleIntent } from "./panel/intents.ts";
import { panelTitle } from "./panel/panelTitle.ts";
import type { TeamBoard } from "./panel/teamBoard.ts";
import { TeamPanel } from "./panel/teamPanel.ts";
import { PlanDrafts } from "./requests/planDrafts.ts";
import { RequestDocuments } from "./requests/requestDocuments.ts";
import { readSettings, type Settings } from "./settings.ts";
import { keepSurfaces } from "./surfaces.ts";
import { taskLinks } from "./tasks/taskLinks.ts";
import { handOver } from "./teams/handOver.ts";
import { restoreTeam } from "./teams/restoreTeam.ts";
import { showEnded } from "./teams/showEnded.ts";
import { Teams } from "./teams/teams.ts";
import type { WindowParts } from "./windowParts.ts";

/** Everything behind the window's views and commands. What runs a team is loaded with the first team. */
export interface Services extends WindowParts {
  readonly teams: Teams;
  readonly panel: TeamPanel;
  readonly board: TeamBoard;
  readonly documents: RequestDocuments;
  readonly planDrafts: PlanDrafts;
  readonly changeDocuments: ChangeDocuments;
  readonly terminals: MemberTerminals;
  readonly processes: Processes;
  settings(): Settings;
  /** Runs a command of the manifest; failures are told to the person. */
  run(command: CommandName, given: unknown): Promise<void>;
  /** Shows the team that was on show before the window was closed, or one that somebody runs in its folder. */
  restoreTeam(): Promise<void>;
}

/** Makes the services; the window's parts own them. */
export function createServices(parts: WindowParts): Services {
  const { owned, log } = parts;
  const services: Services = {
    ...parts,
    teams: owned.add(
      new Teams({
        showEnded: (ended) => showEnded(ended, services),
        handedOver: () => void handOver(services),
        log,
      }),
    ),
    panel: owned.add(
      new TeamPanel({
        extension: parts.extension,
        say: parts.say,
        log,
        fallback: () => emptyState(services),
        title: () => panelTitle(services.teams.current),
        onMessage: (message) => void handleIntent(message, intentPorts(services)),
      }),
    ),
    board: owned.add(createBoard(parts, () => services)),
    documents: owned.add(new RequestDocuments()),
    planDrafts: new PlanDrafts(parts.state),
    changeDocuments: owned.add(new ChangeDocuments(log)),
    terminals: owned.add(new MemberTerminals(parts.say)),
    processes: machineProcesses(),
    settings: keptSettings(owned, log),
    run: (command, given) => runCommand(services, command, given),
    restoreTeam: () => restoreTeam(services),
  };
  owned.add(vscode.window.registerTerminalLinkProvider(taskLinks(services)));
  owned.add(followPersonsFiles(services.teams));
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
