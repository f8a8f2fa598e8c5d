import { errorMessage } from "../../base/errors.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { SessionOptions } from "../types.ts";
import { openGit } from "./git.ts";

/**
 * Reads which commits keep the work tree of a team that is about to be deleted. What it resolves to takes their names
 * away, once the team is gone: git drops what nothing else holds. Neither rejects: what stays is logged.
 */
export async function startCommitsOf(
  { store, env, logger }: Pick<SessionOptions, "store" | "env" | "logger">,
  team: string,
): Promise<() => Promise<void>> {
  try {
    const { records } = await store.changes.read({ team, agent: LEAD_NAME });
    const starts = records.flatMap((record) =>
      record.kind === "start" && record.commit?.ref.startsWith("refs/muster/")
        ? [{ ...record.commit, cwd: record.cwd }]
        : [],
    );
    return async () => {
      for (const { cwd, ref, id } of starts) {
        try {
          const git = await openGit(cwd, env);
          await git?.(["update-ref", "--no-deref", "-d", ref, id]);
        } catch (error) {
          logger.debug(`The commit ${ref} in ${cwd} was not removed: ${errorMessage(error)}`);
        }
      }
    };
  } catch (error) {
    logger.warn(`The commits of the work tree before ${team} are not removed: ${errorMessage(error)}`);
    return async () => {};
  }
}
