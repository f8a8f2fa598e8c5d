import type { Clock } from "../../base/clock.ts";
import { errorMessage } from "../../base/errors.ts";
import { inboxFileName } from "../../protocol/names.ts";
import type { Presence } from "../../protocol/team.ts";
import type { Store } from "../../store/store.ts";
import { passedOn } from "../presence.ts";
import { hasOwnProcess, sameProcess } from "../resume/earlierProcess.ts";
import type { SpawnFile } from "./spawnFile.ts";
import { isLastStarted, isLedBy } from "./takeMember.ts";

/**
 * Says in the presence of a process that does not come why: its lead cannot see its terminal, which goes with it. Nothing is
 * said where its lead does not wait for this one, or where another process of the member lives, whose presence that is.
 * Never rejects: where it cannot be said, the lead sees that the process has ended.
 */
export async function leaveReason(
  { store, clock }: { store: Store; clock: Clock },
  { team, name }: { team: string; name: string },
  spawn: Pick<SpawnFile, "nonce" | "lead">,
  error: unknown,
): Promise<void> {
  try {
    await store.leads.withLead(team, async (lead) => {
      if (!isLedBy(lead, spawn) || !(await isLastStarted(store, { team, name }, spawn))) return;
      const known = await store.presence.read(team, inboxFileName(name));
      const self = await store.processes.self();
      if (known && !sameProcess(known, self) && (await hasOwnProcess({ store, clock }, known))) return;
      const [at, reason] = [clock.now(), errorMessage(error)];
      const incarnation = known?.incarnation ?? "";
      await store.presence.write(team, name, {
        ...{ incarnation, state: "dead", since: at, beat: at, ...self, nonce: spawn.nonce, reason },
        ...passedOn(known, incarnation),
      });
    });
  } catch {
    // the process says it itself too
  }
}

/** Why the process with this nonce did not come; null: it has left no reason. */
export function reasonLeft(presence: Presence | null | undefined, nonce: string | null): string | null {
  if (!presence || presence.nonce !== nonce || presence.state !== "dead") return null;
  return presence.reason ?? null;
}
