import { homedir, userInfo } from "node:os";

/** The person's home folder; where `HOME` is set to nothing, the one that the system has for the user. */
export function homeFolder(): string {
  return homedir() || userInfo().homedir;
}
