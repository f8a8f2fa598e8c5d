import * as vscode from "vscode";
import { errorMessage, isMusterError } from "../base/errors.ts";
import { STOP_REASONS } from "../protocol/stopReasons.ts";
import { showChanges, undoChanges } from "./changes/changes.ts";
import type { CommandName } from "./commandNames.ts";
import { clearApiKey, setApiKey } from "./keyCommands.ts";
import { pauseTeam, resumeTeam } from "./limits/pauseTeam.ts";
import { raiseBudget } from "./limits/raiseBudget.ts";
import { chooseMember, memberNameIn, openScreen, openTerminal } from "./members/memberActions.ts";
import { changeMode, toggleDelegate } from "./members/memberModes.ts";
import { hasScreen, runs } from "./members/memberWords.ts";
import { neighbourOf } from "./members/neighbour.ts";
import { pickFromTeam } from "./members/pickFromTeam.ts";
import { spawnTeammate } from "./members/spawnTeammate.ts";
import { noticeText } from "./notices/noticeText.ts";
import { openFolders } from "./openFolders.ts";
import { openSetting } from "./openSetting.ts";
import { sendSelection } from "./panel/composerPorts.ts";
import { sayTo } from "./panel/intents.ts";
import { pickRequest, reviewNextRequest } from "./requests/pickRequest.ts";
import { reviewWorkspaceRules } from "./requests/reviewWorkspaceRules.ts";
import type { Services } from "./services.ts";
import { createTask } from "./tasks/createTask.ts";
import { pickTask } from "./tasks/pickTask.ts";
import { attachTeam, continueTeam } from "./teams/continueTeam.ts";
import { deleteTeam } from "./teams/deleteTeam.ts";
import { endTeam } from "./teams/endTeam.ts";
import { newTeam, runDemo } from "./teams/newTeam.ts";
import { openTeam } from "./teams/openTeam.ts";
import { requireLive } from "./teams/teams.ts";

type Command = (services: Services, given: unknown) => Promise<void> | void;

/** Every command. `given`: the row of the tree where it was run from one. */
const COMMANDS: Readonly<Record<CommandName, Command>> = {
  newTeam: (services) => newTeam(services),
  openTeam: (services) => openTeam(services),
  openBoard: ({ board }) => board.open(),
  runDemo: (services) => runDemo(services),
  continueTeam: (services) => continueTeam(services),
  attachTeam: (services) => attachTeam(services),
  messageMember,
  sendSelection: (services) => sendSelection(services),
  spawnTeammate: (services) => spawnTeammate(services),
  createTask: (services) => createTask(services),
  tasks: (services) => pickTask(services),
  openTerminal: openMemberTerminal,
  showScreen: showMemberScreen,
  nextMember: (services) => showNeighbour(services, 1),
  previousMember: (services) => showNeighbour(services, -1),
  findInConversation: ({ panel }) => panel.reveal({ kind: "find" }),
  reviewNextRequest: (services) => reviewNextRequest(services),
  reviewRequest: (services) => pickRequest(services),
  focusNextRequest,
  interruptMember,
  pauseTeam,
  resumeTeam,
  raiseBudget,
  changeMode,
  toggleDelegate,
  reviewWorkspaceRules,
  showChanges,
  undoChanges,
  shutDownTeammate,
  shutDownTeam,
  deleteTeam,
  setApiKey,
  clearApiKey,
  setBaseUrl: () => openSetting("muster.baseUrl"),
  showLog: ({ channel }) => channel.show(),
  runDoctor: async (services) => {
    const { runDoctor } = await import("./runDoctor.ts");
    await runDoctor(services, vscode.workspace.isTrusted ? openFolders() : []);
  },
  showMember,
  showTeam: (services) => pickFromTeam(services),
};

/** Runs a command. A failure is told, as the person asked for something, and goes to the log. */
export async function runCommand(services: Services, name: CommandName, given: unknown): Promise<void> {
  try {
    await COMMANDS[name](services, given);
  } catch (error) {
    await tell(services, name, error);
  }
}

async function tell({ log, channel, say }: Services, name: string, error: unknown): Promise<void> {
  if (isMusterError(error)) log.info(error.message);
  else log.error(`The command ${name} failed.`, error);
  const showLog = vscode.l10n.t("Show Log"); // a notice without a button shows its first line only
  const picked = await vscode.window.showErrorMessage(noticeText(say(errorMessage(error))), showLog);
  if (picked === showLog) channel.show();
}

async function messageMember(services: Services, given: unknown): Promise<void> {
  const { session } = requireLive(services.teams);
  const member = await chooseMember(services, given, vscode.l10n.t("Message a Member"));
  if (!member) return;
  const prompt = vscode.l10n.t("Write to {0}", member.displayName);
  const text = await vscode.window.showInputBox({ prompt, ignoreFocusOut: true });
  if (text?.trim()) await sayTo(session, member.name, text);
}

async function openMemberTerminal(services: Services, given: unknown): Promise<void> {
  const member = await chooseMember(
    services,
    given,
    vscode.l10n.t("Open Teammate Terminal"),
    ({ role }) => role === "teammate",
  );
  if (member) await openTerminal(services, member.name, { preserveFocus: given !== undefined });
}

async function showMemberScreen(services: Services, given: unknown): Promise<void> {
  const member = await chooseMember(services, given, vscode.l10n.t("Show a Member's Screen"), hasScreen);
  if (member) await openScreen(services, member.name);
}

async function focusNextRequest({ teams, panel }: Services): Promise<void> {
  const item = teams.current?.state().attention[0];
  if (item) await panel.reveal({ kind: "request", id: item.id });
}

async function interruptMember(services: Services, given: unknown): Promise<void> {
  const { session } = requireLive(services.teams);
  const member = await chooseMember(services, given, vscode.l10n.t("Interrupt a Member"), runs);
  if (member) await session.interrupt(member.name);
}

async function shutDownTeammate(services: Services, given: unknown): Promise<void> {
  const { session } = requireLive(services.teams);
  const member = await chooseMember(
    services,
    given,
    vscode.l10n.t("Shut Down a Teammate"),
    ({ role }) => role === "teammate",
  );
  if (!member) return;
  const ask = vscode.l10n.t("Ask It to Stop");
  const end = vscode.l10n.t("End It Now");
  const detail = vscode.l10n.t("Asked, it may refuse and say why. Ended, its unfinished tasks become free.");
  const question = vscode.l10n.t("Shut down {0}?", member.displayName);
  const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, ask, end);
  if (picked === ask) await session.askToStop(member.name, STOP_REASONS.person);
  if (picked === end) await session.endMember(member.name, "ended by the person");
}

async function shutDownTeam(services: Services): Promise<void> {
  const { title, members } = requireLive(services.teams).state();
  const working = members.filter(runs).length;
  const detail = vscode.l10n.t(
    "{0} of {1} working. The members are asked to stop; unfinished tasks stay as they are.",
    working,
    members.length,
  );
  const end = vscode.l10n.t("Shut Down Team");
  const question = vscode.l10n.t("Shut down {0}?", title);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, end)) !== end) return;
  await endTeam(services);
}

async function showMember({ panel }: Services, given: unknown): Promise<void> {
  const name = memberNameIn(given);
  if (name !== undefined) await panel.reveal({ kind: "member", name });
}

/** Shows the conversation of the member before or behind the one on show, round and round. */
async function showNeighbour({ teams, panel }: Services, step: 1 | -1): Promise<void> {
  const name = teams.current && neighbourOf(teams.current.state(), panel.member, step);
  if (name !== null) await panel.reveal({ kind: "member", name });
}
