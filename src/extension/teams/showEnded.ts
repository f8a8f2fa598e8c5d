import type { Services } from "../services.ts";
import { onlyAddress } from "./rememberedTeam.ts";
import type { ShownTeam } from "./shownTeam.ts";
import type { EndedTeam } from "./teams.ts";

/** Shows what a team of this window left, from its files where they are kept, else from memory. */
export async function showEnded({ ready, result, address }: EndedTeam, services: Services): Promise<ShownTeam> {
  const { createFinishedTeam, readRemains } = await import("./finishedTeam.ts");
  const { team, store, goal, project } = ready;
  const state = team.state();
  const known = { result, scripted: state.scripted, goal, title: state.title, cwd: project };
  const remains = address ? await readRemains(store, address) : team.remains();
  return createFinishedTeam(remains, known, { store, models: services.settings().models });
}

/** Leaves the team that this window runs to whoever asks for it, and shows how it goes on there. */
export async function handOver({ teams, settings, log }: Services): Promise<void> {
  const address = teams.current?.address;
  try {
    await teams.suspend();
    const { openStoredTeam } = await import("./storedTeams.ts");
    teams.show(address ? await openStoredTeam(onlyAddress(address), { models: settings().models, log }) : null);
  } catch (error) {
    log.error("The team that was handed over cannot be shown.", error);
  }
}
