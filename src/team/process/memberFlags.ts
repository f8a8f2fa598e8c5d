import { agentId } from "../../protocol/ids.ts";
import type { Member } from "../member.ts";

/** The flags with which a teammate's process is started, as the reference has them (docs/command-line.md). */
export function memberFlags(
  member: Member,
  given: { team: string; session: string; verifyKey: string | null; spawnFile: string | null },
): string[] {
  const { name, spec, permission } = member;
  const { mode } = permission;
  return [
    ...["--agent-id", agentId(name, given.team), "--agent-name", name, "--team-name", given.team],
    ...(spec.color === null ? [] : ["--agent-color", spec.color]),
    ...["--parent-session-id", given.session],
    ...(given.verifyKey === null ? [] : ["--lead-verify-key", given.verifyKey]),
    ...(spec.planModeRequired ? ["--plan-mode-required"] : []),
    ...["--agent-type", spec.agentType],
    ...(mode === "bypassPermissions" ? ["--dangerously-skip-permissions"] : ["--permission-mode", mode]),
    ...["--model", spec.model],
    ...(given.spawnFile === null ? [] : ["--spawn-file", given.spawnFile]),
  ];
}
