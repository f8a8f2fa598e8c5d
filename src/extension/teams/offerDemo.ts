import * as vscode from "vscode";

/** Says that the window shows no team, with the way to one that needs neither a key nor a goal. */
export async function offerDemo(): Promise<undefined> {
  const sentence = vscode.l10n.t("There is no team in this window.");
  const demo = vscode.l10n.t("Run the Demo Team");
  const picked = await vscode.window.showInformationMessage(sentence, demo);
  if (picked === demo) await vscode.commands.executeCommand("muster.runDemo");
}
