import path from "node:path";
import { isoTime, systemClock } from "../../base/clock.ts";
import { errorMessage } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { pathIn } from "../../base/pathIn.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { MemberState } from "../../protocol/team.ts";
import type { ChangeStore } from "../../store/changeStore.ts";
import { realForm } from "../../store/realForm.ts";
import type { TeamSession } from "../../team/types.ts";

/** What the person's own changes are told from and to. */
export interface PersonChangesPorts {
  session: Pick<TeamSession, "id" | "cwd" | "team" | "members">;
  changes: Pick<ChangeStore, "append">;
  log: Logger;
}

/** States in which no command runs; one that is not heard of any more may still be in the middle of one. */
const AT_REST: ReadonlySet<MemberState> = new Set(["idle", "dead", "failed"]);

/**
 * Records that the person changed files (absolute) of the team's folder just now, if a member works that may run a command
 * meanwhile: what such a command is found to have changed is not the member's alone then. Never rejects.
 */
export async function recordPersonChanges(
  { session, changes, log }: PersonChangesPorts,
  files: readonly string[],
): Promise<void> {
  if (session.members().every(({ state }) => AT_REST.has(state))) return;
  const at = isoTime(systemClock.now());
  try {
    const all = await Promise.all(files.map(namesOf));
    const paths = [...new Set(all.flat())].filter((name) => pathIn(session.cwd, name, path));
    if (paths.length === 0) return;
    const owner = session.team === null ? { leadSession: session.id } : { team: session.team, agent: LEAD_NAME };
    await changes.append(owner, { kind: "person", at, paths });
  } catch (error) {
    log.warn(`What you changed yourself was not recorded: ${errorMessage(error)}`);
  }
}

/** A file as the record of changes may name it, which goes through no linked folder: where it lies, and where it leads. */
async function namesOf(file: string): Promise<string[]> {
  return [path.join(await realForm(path.dirname(file)), path.basename(file)), await realForm(file)];
}
