import type { Clock } from "../base/clock.ts";
import { MusterError } from "../base/errors.ts";
import type { Presence } from "../protocol/team.ts";
import type { Store } from "../store/store.ts";

/**
 * Waits, `patienceMs` at most, until the process that a presence names is gone: two processes of one member would both
 * answer its mail. Throws `not_ready` where it stays.
 */
export async function untilEarlierIsGone(
  { store, clock }: { store: Store; clock: Clock },
  name: string,
  presence: Presence,
  patienceMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const end = clock.now() + patienceMs; (await store.processes.state(presence)) === "alive"; ) {
    if (clock.now() > end)
      throw new MusterError("not_ready", `${name} still runs in process ${presence.pid}: end that one first.`);
    await clock.sleep(200, signal);
  }
}
