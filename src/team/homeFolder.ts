import { homedir, userInfo } from "node:os";
import path from "node:path";

/** The person's home folder; where `HOME` is set to nothing, the one that the system has for the user. */
export function homeFolder(): string {
  return homedir() || userInfo().homedir;
}

/** The state root (absolute) where nobody chose one: $CLAUDE_CONFIG_DIR, from `cwd` where it is relative, else ~/.claude. */
export function defaultStateRoot(env: NodeJS.ProcessEnv, home: string, cwd = process.cwd()): string {
  return path.resolve(cwd, env["CLAUDE_CONFIG_DIR"] || path.join(home, ".claude"));
}
