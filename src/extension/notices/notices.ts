import * as vscode from "vscode";
import type { Services } from "../services.ts";
import { TEAM_VIEW, type TeamScreen } from "../teams/shownTeam.ts";
import { noticeText } from "./noticeText.ts";
import { createTeller, type Notice } from "./teller.ts";

/**
 * Says that something waits, or, while the window is not in front, that the team has finished: where the person wants to
 * be told, one notification at a time. What comes while one is open is told together when it is closed.
 */
export function createNotices(services: Services): (state: TeamScreen | null) => void {
  const teller = createTeller();
  let latest: TeamScreen | null = null;
  let open = false;
  const tell = () => {
    if (open) return;
    const notice = teller.next(latest, vscode.window.state.focused);
    if (!notice || services.settings().notifications !== "toast") return;
    open = true;
    void show(notice)
      .catch((error: unknown) => services.log.error("What a notification leads to cannot be shown.", error))
      .finally(() => {
        open = false;
        tell();
      });
  };
  return (state) => {
    latest = state;
    tell();
  };
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
