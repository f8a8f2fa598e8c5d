import type { ReadyTeam } from "./startTeam.ts";
import { discardTeam, type Teams } from "./teams.ts";

/**
 * Runs the team that `prepare` makes ready. `makeRoom` ends the one that runs in this window, where one does: not before
 * the other is ready, as a team that cannot start must cost nobody theirs. Throws what each of them throws; where `makeRoom`
 * fails, the ready team is let go of.
 */
export async function runInstead(
  teams: Pick<Teams, "run">,
  prepare: () => Promise<ReadyTeam>,
  makeRoom: () => Promise<void>,
): Promise<ReadyTeam> {
  const ready = await prepare();
  try {
    await makeRoom();
  } catch (error) {
    await discardTeam(ready);
    throw error;
  }
  await teams.run(ready);
  return ready;
}
