import type { Services } from "./services.ts";
import type { ShownTeam } from "./shownTeam.ts";
import type { EndedTeam } from "./teams.ts";

/** Shows what a team of this window left, from its files where they are kept, else from memory. */
export async function showEnded({ ready, result, address }: EndedTeam, services: Services): Promise<ShownTeam> {
  const { createFinishedTeam, readRemains } = await import("./finishedTeam.ts");
  const { team, store, goal, project } = ready;
  const state = team.state();
  const known = { result, scripted: state.scripted, goal, title: state.title, cwd: project };
  const remains = address ? await readRemains(store, address) : team.remains();
  return createFinishedTeam(remains, known, { store, models: services.settings().models, log: services.log });
}
