import type { Services } from "../services.ts";
import { onlyAddress } from "./rememberedTeam.ts";
import type { ShownTeam } from "./shownTeam.ts";

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
