import { isoTime } from "../base/clock.ts";
import type { AuditLine } from "../protocol/audit.ts";
import type { SessionContext } from "./context.ts";

type WithoutTime<Line> = Line extends AuditLine
  ? { [Key in keyof Line as Key extends "at" ? never : Key]: Line[Key] }
  : never;

/** Adds a line to the session's audit log; it is on the disk when this resolves. `at` in ms: now, unless it is given. */
export async function recordAudit(
  { options, lead }: Pick<SessionContext, "options" | "lead">,
  line: WithoutTime<AuditLine>,
  at = options.clock.now(),
): Promise<void> {
  await options.store.audit.append(lead.owner, { at: isoTime(at), ...line });
}
