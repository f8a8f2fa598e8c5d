import * as vscode from "vscode";
import { STOP_GRACE_MS } from "../team/defaultSettings.ts";
import type { Services } from "./services.ts";
import { TEAM_VIEW } from "./shownTeam.ts";

/** Ends the team that runs in this window, if one does; the view shows that it takes a while. */
export async function endTeam({ teams }: Pick<Services, "teams">): Promise<void> {
  if (!teams.live) return;
  await vscode.window.withProgress({ location: { viewId: TEAM_VIEW } }, () => teams.end(STOP_GRACE_MS));
}
