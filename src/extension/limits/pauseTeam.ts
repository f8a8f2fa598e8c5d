import * as vscode from "vscode";
import type { Services } from "../services.ts";
import type { ShownTeam } from "../teams/shownTeam.ts";
import { requireLive } from "../teams/teams.ts";

/** *Pause Team*: no member asks its model or runs a tool before the team is resumed; what runs is ended. */
export async function pauseTeam(services: Services): Promise<void> {
  await requireLive(services.teams).session.pauses.pause();
}

/** *Resume Team*: everybody goes on where it stopped. */
export async function resumeTeam(services: Services): Promise<void> {
  await requireLive(services.teams).session.pauses.resume();
}

/** What stands beside the name of the view: the team, and whether it is paused. Empty without a team. */
export function panelTitle(team: ShownTeam | null): string {
  if (!team) return "";
  const { title, paused } = team.state();
  return paused ? vscode.l10n.t("{0} · Paused", title) : title;
}
