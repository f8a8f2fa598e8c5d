import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import { hasKey } from "../apiKey.ts";
import { tellOfSettings } from "../requests/tellOfSettings.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../trust.ts";
import { endTeam, mayEndTeam } from "./endTeam.ts";
import { runInstead } from "./runInstead.ts";
import { startPorts } from "./startPorts.ts";
import type { ReadyTeam, StartPorts } from "./startTeam.ts";

/**
 * Starts a team for a goal, which is asked for where it is not given. Throws `not_ready` with a sentence where nothing
 * can be started; does nothing where the person leaves.
 */
export async function newTeam(services: Services, given?: string): Promise<void> {
  requireTrust();
  const folder = await chooseFolder();
  if (!folder) return;
  await services.apiKey.read();
  if (!hasKey(services.apiKey, services.settings().baseUrl)) return offerKey(given !== undefined);
  if (!(await mayEndTeam(services))) return;
  const goal = given ?? (await askGoal(services, folder));
  if (!goal) return;
  await services.state.update(UNUSED_GOAL, goal);
  await start(services, async (ports) => {
    const { prepareApiTeam } = await import("./startTeam.ts");
    return prepareApiTeam(goal, folder.uri.fsPath, ports);
  });
  await services.state.update(UNUSED_GOAL, undefined);
}

/** Where a window keeps the goal of a team that could not be started: the person need not type it again. */
const UNUSED_GOAL = "muster.unusedGoal";

/** Runs the demo team, on a fresh copy of its sample project. */
export async function runDemo(services: Services): Promise<void> {
  requireTrust();
  if (!(await mayEndTeam(services))) return;
  await start(services, async (ports) => {
    const { prepareDemoTeam } = await import("./startTeam.ts");
    return prepareDemoTeam(ports);
  });
}

async function start(services: Services, prepare: (ports: StartPorts) => Promise<ReadyTeam>): Promise<void> {
  const { teams, log } = services;
  await services.panel.open({ preserveFocus: true });
  const prepared = async () => {
    const ready = await prepare(startPorts(services));
    log.info(`A team starts in ${ready.project}, its files are in ${ready.store.paths.root}.`);
    return ready;
  };
  tellOfSettings(services, await runInstead(teams, prepared, () => endTeam(services)));
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new MusterError("not_ready", "A team works in a folder: open one first.");
  return folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick();
}

/** Offers what can be done without a key. From the webview it is an error that the view shows beside its buttons. */
async function offerKey(fromView: boolean): Promise<void> {
  const sentence = vscode.l10n.t("A team needs a key for the Anthropic API.");
  if (fromView) throw new MusterError("no_key", sentence);
  const setKey = vscode.l10n.t("Set API Key…");
  const demo = vscode.l10n.t("Run the Demo Team");
  const picked = await vscode.window.showInformationMessage(sentence, setKey, demo);
  if (picked === setKey) await vscode.commands.executeCommand("muster.setApiKey");
  if (picked === demo) await vscode.commands.executeCommand("muster.runDemo");
}

async function askGoal({ state }: Services, folder: vscode.WorkspaceFolder): Promise<string | undefined> {
  const goal = await vscode.window.showInputBox({
    title: vscode.l10n.t("New Team in {0}", folder.name),
    prompt: vscode.l10n.t("What should be true when the team is done?"),
    value: state.get(UNUSED_GOAL, ""),
    ignoreFocusOut: true,
  });
  return goal?.trim() || undefined;
}
