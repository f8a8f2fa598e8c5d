import * as vscode from "vscode";
import type { ShownTeam } from "../teams/shownTeam.ts";

/** What stands beside the name of the view: the team, and whether it is paused. Empty without a team. */
export function panelTitle(team: ShownTeam | null): string {
  if (!team) return "";
  const { title, paused } = team.state();
  return paused ? vscode.l10n.t("Paused · {0}", title) : title;
}
