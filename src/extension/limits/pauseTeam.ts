import type { Services } from "../services.ts";
import { requireLive } from "../teams/teams.ts";

/** *Pause Team*: no member asks its model or runs a tool before the team is resumed; what runs is ended. */
export async function pauseTeam(services: Services): Promise<void> {
  await requireLive(services.teams).session.pauses.pause();
}

/** *Resume Team*: everybody goes on where it stopped. */
export async function resumeTeam(services: Services): Promise<void> {
  await requireLive(services.teams).session.pauses.resume();
}
