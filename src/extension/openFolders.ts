import * as vscode from "vscode";

/** The folders that are open in this window, absolute, as the person opened them: links are not followed. */
export function openFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
