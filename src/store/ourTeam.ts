import { type TeamConfig, teamConfigSchema } from "../protocol/team.ts";
import { isMissing } from "./fsErrors.ts";
import type { TeamPaths } from "./paths.ts";
import type { StoreContext } from "./storeContext.ts";

/**
 * Whether Muster made a team: its configuration says so, or, where that is missing or damaged, that a copy of the last
 * one is there, which is kept of our teams only. Throws file errors as they are.
 */
export async function isOurTeam(context: StoreContext, paths: TeamPaths): Promise<boolean> {
  const config = await readConfig(context, paths.config);
  if (config) return config.muster !== undefined;
  return await context.fs.stat(paths.configBackup).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
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
