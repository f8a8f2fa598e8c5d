import * as vscode from "vscode";
import { STOP_GRACE_MS } from "../../team/defaultSettings.ts";
import type { Services } from "../services.ts";
import { TEAM_VIEW } from "./shownTeam.ts";

/** One team runs in a window: whether the one that runs, if one does, may be ended. The person says so. */
export async function mayEndTeam({ teams }: Pick<Services, "teams">): Promise<boolean> {
  const team = teams.live;
  if (!team) return true;
  const { title } = team.state();
  const end = vscode.l10n.t("Shut It Down and Go On");
  const detail = vscode.l10n.t("Its members are asked to stop. Its files stay, and it can be read under Open Team….");
  const question = vscode.l10n.t("{0} still runs in this window.", title);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, end)) === end;
}

/** Ends the team that runs in this window, if one does; the view shows that it takes a while. */
export async function endTeam({ teams }: Pick<Services, "teams">): Promise<void> {
  if (!teams.live) return;
  await vscode.window.withProgress({ location: { viewId: TEAM_VIEW } }, () => teams.end(STOP_GRACE_MS));
}
