import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import type { ShownTeam } from "./shownTeam.ts";
import type { EndedTeam } from "./teams.ts";

/** Shows what a team of this window left, from its files where they are kept, else from memory. */
export async function showEnded(
  { ready, result, address }: EndedTeam,
  services: Pick<Services, "log"> & { settings(): Pick<Settings, "models"> },
): Promise<ShownTeam> {
  const { createFinishedTeam, readRemains } = await import("./finishedTeam.ts");
  const { team, store, goal, project } = ready;
  const state = team.state();
  const known = { result, scripted: state.scripted, goal, title: state.title, cwd: project, key: state.team };
  const remains = address
    ? await readRemains(store, address).catch((error: unknown) => {
        services.log.warn(`What ${state.title} left cannot be read: it is shown as it was last.`, error);
        return team.remains();
      })
    : team.remains();
  return createFinishedTeam(remains, known, { store, models: services.settings().models });
}
