import type * as vscode from "vscode";
import { registerCommands } from "./commands.ts";
import { restoreTeam } from "./restoreTeam.ts";
import { createServices, type Services } from "./services.ts";

let services: Services | undefined;

/** Called by VS Code once the window has started. Only wires; what a team needs is loaded with the first team. */
export function activate(context: vscode.ExtensionContext): void {
  const made = createServices(context);
  services = made;
  context.subscriptions.push(registerCommands(made));
  const { log } = made;
  made.apiKey.read().catch((error: unknown) => log.error("The secret storage cannot be read.", error));
  restoreTeam(made).catch((error: unknown) => log.error("The team of this window cannot be shown again.", error));
}

/** How long members get to agree to stop when the window closes, in ms: VS Code gives a few seconds in all. */
const GRACE_MS = 1_500;

/** Called by VS Code when the window closes: ends the team that runs here, in order. */
export async function deactivate(): Promise<void> {
  await services?.teams.end({ graceMs: GRACE_MS, interrupted: true });
}
