import * as vscode from "vscode";
import { STOP_REASONS } from "../../protocol/stopReasons.ts";
import { openTerminal } from "../members/memberActions.ts";
import { shownName } from "../members/shownName.ts";
import { comparePlan } from "../requests/comparePlan.ts";
import type { Services } from "../services.ts";
import { newTeam } from "../teams/newTeam.ts";
import { runningSession } from "../teams/runningSession.ts";
import { composerPorts } from "./composerPorts.ts";
import { conversationPorts } from "./conversationPorts.ts";
import type { IntentPorts, PanelCommand } from "./intents.ts";

/** What the webview's intents reach in this window. */
export function intentPorts(services: Services): IntentPorts {
  const { teams, panel, board, documents, planDrafts, log } = services;
  return {
    session: () => teams.live?.session ?? null,
    view: () => panel.feed.view,
    begin: (view) => {
      panel.feed.startOver(view);
      panel.ready();
    },
    setView: (view) => {
      if (panel.feed.view) panel.feed.setView(view); // what a document said before it was hidden may come late
    },
    startTeam: (goal) => newTeam(services, goal),
    openTerminal: async (member) => openTerminal(services, member, { preserveFocus: true }),
    openRequest: (request) =>
      documents.open(request, { preserveFocus: false, from: shownName(services, request.from) }),
    comparePlan: (request) => comparePlan(services, request),
    showPlan: async ({ id }) => board.showRequest(id),
    draftToPlan: ({ id }, draft, waiting) => {
      planDrafts.set(id, draft, waiting);
      board.post(planDrafts.message(id));
    },
    tellPlanDrafts: () => panel.post(planDrafts.message()),
    stopMember: async (member) => {
      const session = runningSession(teams.live?.session ?? null);
      await session.askToStop(member, STOP_REASONS.person);
    },
    raiseBudget: async (member, to) => {
      await vscode.commands.executeCommand("muster.raiseBudget", { member, to });
    },
    changeMode: async (member) => {
      await vscode.commands.executeCommand("muster.changeMode", { name: member });
    },
    runCommand: async (command) => {
      await vscode.commands.executeCommand(COMMANDS[command]);
    },
    conversation: conversationPorts(services),
    composer: composerPorts(services),
    board: null,
    post: (message) => panel.post(message),
    tell: (sentence) => {
      log.info(sentence);
      vscode.window.setStatusBarMessage(services.say(sentence), TOLD_MS);
    },
    log,
  };
}

/** For how long a sentence stands in the status bar: no notice for one click. */
const TOLD_MS = 6_000;

const COMMANDS: Readonly<Record<PanelCommand, string>> = {
  newTeam: "muster.newTeam",
  openTeam: "muster.openTeam",
  runDemo: "muster.runDemo",
  continueTeam: "muster.continueTeam",
  resumeTeam: "muster.resumeTeam",
  showChanges: "muster.showChanges",
  undoChanges: "muster.undoChanges",
  setApiKey: "muster.setApiKey",
  setBaseUrl: "muster.setBaseUrl",
  manageTrust: "workbench.trust.manage",
  openFolder: "vscode.openFolder",
  showLog: "muster.showLog",
  sendSelection: "muster.sendSelection",
};
