import type { Services } from "../services.ts";
import type { Settings } from "../settings.ts";
import { onlyAddress } from "./rememberedTeam.ts";
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

/** Leaves the team that this window runs to whoever asks for it, and shows how it goes on there. */
export async function handOver({ teams, settings, log }: Services): Promise<void> {
  const given = teams.current;
  let stored: ShownTeam | null = null;
  try {
    await teams.suspend();
    const { openStoredTeam } = await import("./storedTeams.ts");
    const known = given?.address && onlyAddress(given.address);
    if (known) stored = await openStoredTeam(known, { models: settings().models, log });
  } catch (error) {
    log.error("The team that was handed over cannot be shown.", error);
  }
  if (teams.current === given) teams.show(stored);
  else stored?.dispose(); // the person went on to another team meanwhile
}
