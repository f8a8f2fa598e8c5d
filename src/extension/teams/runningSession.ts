import { MusterError } from "../../base/errors.ts";
import type { TeamSession } from "../../team/types.ts";

/** The session, where this window runs the team on show; throws `not_allowed` where it only reads it. */
export function runningSession(session: TeamSession | null): TeamSession {
  if (session) return session;
  throw new MusterError("not_allowed", "This window does not run the team: it can only be read here.");
}
