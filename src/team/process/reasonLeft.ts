import { errorMessage } from "../../base/errors.ts";
import type { Presence } from "../../protocol/team.ts";
import type { Store } from "../../store/store.ts";
import type { SpawnFile } from "./spawnFile.ts";

/**
 * Says in the presence of a process that does not come why: its lead cannot see its terminal, which goes with it. Never
 * rejects: where it cannot be said, the lead sees that the process has ended.
 */
export async function leaveReason(
  store: Store,
  { team, name }: { team: string; name: string },
  { nonce }: SpawnFile,
  error: unknown,
  now: number,
): Promise<void> {
  const presence: Presence = {
    ...{ incarnation: "", state: "dead", since: now, beat: now, ...store.process },
    ...{ nonce, reason: errorMessage(error) },
  };
  try {
    await store.presence.write(team, name, presence);
  } catch {
    // the process says it itself too
  }
}

/** Why the process with this nonce did not come; null: it has left no reason. */
export function reasonLeft(presence: Presence | null | undefined, nonce: string | null): string | null {
  if (!presence || presence.nonce !== nonce || presence.state !== "dead") return null;
  return presence.reason ?? null;
}
