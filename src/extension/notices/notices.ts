import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { TEAM_VIEW } from "../teams/shownTeam.ts";
import { createNoticeQueue, type NoticeQueue } from "./noticeQueue.ts";
import { noticeText } from "./noticeText.ts";
import type { Notice } from "./teller.ts";

/**
 * Says that something waits, or, while the window is not in front, that the team has finished: where the person wants to
 * be told, one notification at a time.
 */
export function createNotices(services: Services): NoticeQueue {
  return createNoticeQueue({
    show: (notice) =>
      show(notice).catch((error: unknown) =>
        services.log.error("What a notification leads to cannot be shown.", error),
      ),
    isWanted: () => services.settings().notifications === "toast",
    isInFront: () => vscode.window.state.focused,
  });
}

async function show(notice: Notice): Promise<void> {
  if (notice.kind === "finished") return showFinished(notice);
  const { text, count } = notice;
  const review = vscode.l10n.t("Review");
  const more = count > 1 ? vscode.l10n.t("{0} things wait for you", count) : text;
  if ((await vscode.window.showInformationMessage(noticeText(more), review)) === review)
    await vscode.commands.executeCommand("muster.focusNextRequest");
}

async function showFinished({ title, completed, total }: Extract<Notice, { kind: "finished" }>): Promise<void> {
  const text = vscode.l10n.t("{0} is finished. Tasks done: {1} of {2}.", title, completed, total);
  const team = vscode.l10n.t("Show the Team");
  if ((await vscode.window.showInformationMessage(noticeText(text), team)) === team)
    await vscode.commands.executeCommand(`${TEAM_VIEW}.focus`);
}
