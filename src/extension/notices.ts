import * as vscode from "vscode";
import { noticeText } from "./noticeText.ts";
import type { Services } from "./services.ts";
import type { TeamScreen } from "./shownTeam.ts";

/** Says that something waits, where the person wants to be told: one notification at a time, the newest state of things. */
export function createNotices(services: Services): (state: TeamScreen | null) => void {
  const told = new Set<string>();
  let open = false;
  return (state) => {
    const fresh = state?.attention.filter(({ id }) => !told.has(id)) ?? [];
    for (const { id } of fresh) told.add(id);
    const first = fresh[0];
    if (!first || open || services.settings().notifications !== "toast") return;
    open = true;
    void show(first.from.displayName, first.title, fresh.length).finally(() => {
      open = false;
    });
  };
}

async function show(from: string, title: string, count: number): Promise<void> {
  const review = vscode.l10n.t("Review");
  const more = count > 1 ? vscode.l10n.t("{0} things wait for you", count) : `${from}: ${title}`;
  if ((await vscode.window.showInformationMessage(noticeText(more), review)) === review)
    await vscode.commands.executeCommand("muster.focusNextRequest");
}
