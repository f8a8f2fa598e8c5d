import { isAbsolute } from "node:path";
import { defaultStateRoot } from "../../team/homeFolder.ts";

/** The state root (absolute), and what is wrong with the setting, one sentence, or null. */
export function stateRoot(
  setting: string,
  env: NodeJS.ProcessEnv,
  home: string,
): { root: string; fault: string | null } {
  const standard = defaultStateRoot(env, home);
  if (setting === "") return { root: standard, fault: null };
  const root = setting.replace(/^~(?=$|[\\/])/, () => home);
  if (isAbsolute(root)) return { root, fault: null };
  const fault = "The setting muster.stateRoot must be an absolute folder: its default holds until you change it.";
  return { root: standard, fault };
}
