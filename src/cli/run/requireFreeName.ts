import { MusterError } from "../../base/errors.ts";
import { type AcceptedName, foldName } from "../../protocol/names.ts";
import type { Store } from "../../store/store.ts";

const CHOOSE_ANOTHER =
  "choose another name. A window of VS Code goes on with it (Continue Team), or deletes it (Delete Team…)";

/**
 * A team's name that is settled before the run is refused before anything is spent on it. `advice`: what to do where it
 * is taken. Throws `team_exists`.
 */
export async function requireFreeName(
  store: Store,
  { name, displayName }: AcceptedName,
  advice = CHOOSE_ANOTHER,
): Promise<void> {
  const wanted = new Set([name, displayName ?? name].map(foldName));
  const taken = (await store.teams.list()).find((team) =>
    [team.name, team.displayName].some((one) => wanted.has(foldName(one))),
  );
  if (!taken) return;
  throw new MusterError("team_exists", `There is a team ${JSON.stringify(taken.displayName)} already: ${advice}.`);
}
