import * as vscode from "vscode";

/**
 * Opens VS Code's settings editor at one setting (`muster.baseUrl`). A remote window has those of the machine among the
 * remote settings, and finds none of them among the person's.
 */
export async function openSetting(id: string): Promise<void> {
  const command = vscode.env.remoteName === undefined ? "openSettings" : "openRemoteSettings";
  await vscode.commands.executeCommand(`workbench.action.${command}`, { query: `@id:${id}` });
}
