import { systemClock } from "../base/clock.ts";
import { isMissing } from "./fsErrors.ts";
import type { StoreContext } from "./storeContext.ts";

/**
 * What a file says as it stands, without repairing it: undefined where it is missing, null where it is no JSON. Read a
 * few times, as it may be being written. Throws file errors as they are.
 */
export async function readRaw({ fs, signal }: StoreContext, path: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return JSON.parse((await fs.read(path)).bytes.toString("utf8"));
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (!(error instanceof SyntaxError)) throw error;
      if (attempt === 10) return null;
    }
    await systemClock.sleep(10, signal);
  }
}
