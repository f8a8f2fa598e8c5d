import type { PermissionMode } from "../protocol/mode.ts";
import type { RunningMember, SessionContext } from "./context.ts";
import { writePresence } from "./presence.ts";

/**
 * Sets a member's mode from its next decision on, and writes it into its entry of config.json as the reference does.
 * `fixed`: whether a person or a flag set it, so that leaving plan mode needs a decision.
 */
export async function setMemberMode(
  context: SessionContext,
  running: RunningMember,
  mode: PermissionMode,
  fixed: boolean,
): Promise<void> {
  running.member.permission = { mode, fixed };
  if (context.team) await context.options.store.teams.updateMember(context.team.folder, running.member.name, { mode });
  writePresence(context, running);
  context.changes.fire();
}
