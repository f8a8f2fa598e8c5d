import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isMissing } from "./fsErrors.ts";

/**
 * An absolute path without links, also of what is not there yet: its nearest folder that is counts. `climbs` says for
 * which errors that is looked for; rejects with every other one.
 */
export async function realForm(path: string, climbs: (error: unknown) => boolean = isMissing): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const folder = dirname(path);
    if (folder === path || !climbs(error)) throw error;
    return join(await realForm(folder, climbs), basename(path));
  }
}
