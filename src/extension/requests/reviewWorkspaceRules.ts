import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import { writtenInLine } from "../../base/hiddenCharacters.ts";
import type { Loosening } from "../../team/requests/rulesInForce.ts";
import type { Say } from "../displayLanguage.ts";
import { noticeText } from "../notices/noticeText.ts";
import type { Services } from "../services.ts";

/** Lines that a dialog shows; the file itself is one click away. */
const MAX_LINES = 15;
/** Characters of one. */
const MAX_LINE = 200;

/**
 * *Review the Workspace's Rules…*: shows what the folder's own `.muster/settings.json` would loosen, and accepts exactly
 * that content where the person says so. Any change of the file has to be accepted anew.
 */
export async function reviewWorkspaceRules(services: Services): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new MusterError("not_ready", "Nothing of this workspace is used before it is trusted.");
  const folder = await chooseFolder();
  if (!folder) return;
  const { readWorkspaceRules } = await import("./workspaceRules.ts");
  const review = await readWorkspaceRules(folder.uri.fsPath, services.settings().stateRoot, services.log);
  if (review.loosenings.length === 0) {
    const sentence = vscode.l10n.t("The settings of {0} loosen nothing that you have not accepted.", folder.name);
    return void (await vscode.window.showInformationMessage(noticeText(sentence)));
  }
  const accept = vscode.l10n.t("Accept");
  const open = vscode.l10n.t("Open the File");
  const question = vscode.l10n.t("Let the settings of {0} loosen your rules?", writtenInLine(folder.name));
  const detail = detailOf(review.path, review.loosenings, services.say);
  const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, open, accept);
  if (picked === open) await vscode.window.showTextDocument(vscode.Uri.file(review.path));
  if (picked === accept) await review.accept();
}

function detailOf(path: string, loosenings: readonly Loosening[], say: Say): string {
  const shown = loosenings.slice(0, MAX_LINES).map((one) => `• ${shortened(writtenInLine(lineOf(one, say)))}`);
  const more = loosenings.length - shown.length;
  const rest = more > 0 ? [vscode.l10n.t("… and {0} more: open the file", more)] : [];
  return [writtenInLine(path), "", ...shown, ...rest].join("\n");
}

/** With a mark where something is left out: nobody accepts an end that they do not know of. */
function shortened(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line;
}

function lineOf({ kind, what }: Loosening, say: Say): string {
  if (kind === "rule") return vscode.l10n.t("Allows {0}", what);
  return kind === "folder"
    ? vscode.l10n.t("Adds the folder {0}", what)
    : vscode.l10n.t("Sets the mode to {0}", say(what));
}

async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new MusterError("not_ready", "There is no folder whose rules could be reviewed.");
  return folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick();
}
