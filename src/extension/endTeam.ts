import * as vscode from "vscode";
import type { Services } from "./services.ts";
import { TEAM_VIEW } from "./shownTeam.ts";

/** How long members get to agree to stop, in ms. */
const GRACE_MS = 10_000;

/** Ends the team that runs in this window, if one does; the view shows that it takes a while. */
export async function endTeam({ teams }: Pick<Services, "teams">): Promise<void> {
  if (!teams.live) return;
  await vscode.window.withProgress({ location: { viewId: TEAM_VIEW } }, () => teams.end(GRACE_MS));
}
