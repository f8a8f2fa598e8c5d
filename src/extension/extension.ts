import * as vscode from "vscode";
import { COMMAND_NAMES } from "./commandNames.ts";
import type { Services } from "./services.ts";
import { lookForTeam } from "./teams/lookForTeam.ts";
import { BOARD_VIEW, TEAM_VIEW } from "./teams/shownTeam.ts";
import { createWindowParts } from "./windowParts.ts";

/** Everything behind the views and commands: loaded by the first of them that is used, or for a team that is there. */
let loading: Promise<Services> | undefined;

/** Called by VS Code once the window has started. Only wires. */
export function activate(context: vscode.ExtensionContext): void {
  const parts = createWindowParts(context);
  const { owned, log, apiKey } = parts;
  context.subscriptions.push(owned);
  const load = () => {
    loading ??= import("./services.ts").then(({ createServices }) => createServices(parts));
    return loading;
  };
  for (const name of COMMAND_NAMES)
    owned.add(vscode.commands.registerCommand(`muster.${name}`, async (given) => (await load()).run(name, given)));
  const resolveWebviewView = async (view: vscode.WebviewView) => (await load()).panel.resolve(view);
  owned.add(vscode.window.registerWebviewViewProvider(TEAM_VIEW, { resolveWebviewView }));
  const deserializeWebviewPanel = async (panel: vscode.WebviewPanel) => (await load()).board.take(panel);
  owned.add(vscode.window.registerWebviewPanelSerializer(BOARD_VIEW, { deserializeWebviewPanel }));
  const show = async () => {
    await apiKey.read();
    if (await lookForTeam(parts)) await (await load()).restoreTeam();
  };
  void show()
    .catch((error: unknown) => log.error("The team of this window cannot be shown again.", error))
    .finally(() => parts.setKeys({ looked: true }));
}

/** Called by VS Code when the window closes or is reloaded: a team that runs here stops, to go on in the next window. */
export async function deactivate(): Promise<void> {
  const services = await loading;
  await services?.teams.suspend();
}
