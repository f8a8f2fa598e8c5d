import { type TeamConfig, teamConfigSchema } from "../protocol/team.ts";
import { isMissing } from "./fsErrors.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/**
 * Whether Muster made a team: its configuration says so, or, where that is missing or damaged, the copy that is kept of
 * the last one. A team that neither tells of belongs to another program. Throws file errors as they are.
 */
export async function isOurTeam(context: StoreContext, paths: TeamPaths): Promise<boolean> {
  const config = (await readConfig(context, paths.config)) ?? (await readConfig(context, paths.configBackup));
  return config?.muster !== undefined;
}

/** Undefined where the file is missing or damaged. */
async function readConfig({ fs }: StoreContext, path: string): Promise<TeamConfig | undefined> {
  try {
    return teamConfigSchema.safeParse(JSON.parse((await fs.read(path)).bytes.toString("utf8"))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
