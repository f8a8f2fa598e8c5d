import * as vscode from "vscode";
import { errorMessage } from "../../base/errors.ts";
import { findingText, type SettingsFinding } from "../../team/requests/settingsFinding.ts";
import { noticeText } from "../notices/noticeText.ts";
import type { Services } from "../services.ts";
import type { ReadyTeam } from "../teams/startTeam.ts";

/** What of the settings files that a team has is to be told: what is not accepted yet, and what has no effect. */
export type SettingsNews = Pick<ReadyTeam, "loosenings" | "findings">;

/** Notes that rules of a team's workspace wait to be accepted, and what in settings does not do what it says. */
export function logSettings({ log }: Services, { loosenings, findings }: SettingsNews): void {
  for (const finding of findings) log.warn(findingText(finding));
  if (loosenings.length === 0) return;
  log.info(
    `The folder's settings do not count before they are accepted: ${loosenings.map(({ kind, what }) => `${kind} ${what}`).join("; ")}.`,
  );
}

/** The same, and tells who has just started a team, or gone on with one. Does not wait for the answer. */
export function tellOfSettings(services: Services, news: SettingsNews): void {
  logSettings(services, news);
  if (services.settings().notifications === "off") return;
  const stopping = news.findings.find(({ stops }) => stops);
  if (stopping) tellWhatStops(services, stopping);
  if (news.loosenings.length === 0) return;
  const review = vscode.l10n.t("Review…");
  const sentence = vscode.l10n.t(
    "This folder's settings would loosen your rules. They do not count until you accept them.",
  );
  void vscode.window.showInformationMessage(sentence, review).then((picked) => {
    if (picked === review) void vscode.commands.executeCommand("muster.reviewWorkspaceRules");
  });
}

/** Settings that cannot be used, or hold a text that is no rule: no call of the team runs before they are corrected. */
function tellWhatStops(services: Services, finding: SettingsFinding): void {
  const open = vscode.l10n.t("Open the File");
  void vscode.window.showWarningMessage(noticeText(findingText(finding, services.say)), open).then((picked) => {
    if (picked === open) void openFile(services, finding.file);
  });
}

/** Nobody waits for it: what is in its way is told here. */
async function openFile({ log }: Services, file: string): Promise<void> {
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(file));
  } catch (error) {
    log.warn(`${file} was not opened.`, error);
    const sentence = vscode.l10n.t("{0} was not opened: {1}", file, errorMessage(error));
    await vscode.window.showErrorMessage(noticeText(sentence));
  }
}
