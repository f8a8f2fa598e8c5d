import { MusterError } from "../base/errors.ts";
import { type BodyOf, bodyText } from "../protocol/messageBody.ts";
import type { PermissionMode } from "../protocol/mode.ts";
import { LEAD_NAME } from "../protocol/names.ts";
import { isLead } from "../protocol/team.ts";
import { recordAudit } from "./audit.ts";
import { isRemote, type MemberContext, type RunningMember, type SessionContext } from "./context.ts";
import { sendBody } from "./mail/send.ts";
import { writePresence } from "./presence.ts";
import { ensurePlanFile } from "./requests/planFile.ts";

/**
 * The person changes a member's mode, from its next decision on. The member's inbox keeps it as a record that is read
 * already. Throws `not_ready` while its plan waits: approving it sets the mode.
 */
export async function changeMode(context: SessionContext, running: RunningMember, mode: PermissionMode): Promise<void> {
  const { member } = running;
  const { store } = context.options;
  if (context.requests.pending.some(({ kind, from }) => kind === "plan" && from === member.name))
    throw new MusterError(
      "not_ready",
      `${member.spec.displayName} waits with a plan: decide it, and choose the mode there.`,
    );
  await recordAudit(context, { event: "mode", member: member.name, mode, by: "person" });
  running.modeBeforePlan = null;
  if (mode === "plan") await ensurePlanFile(context, running);
  const body: BodyOf<"mode_set_request"> = { type: "mode_set_request", mode, from: LEAD_NAME };
  if (isRemote(running)) {
    await sendBody(context, context.lead, member.name, body, { mustArrive: true });
    return;
  }
  await setMemberMode(context, running, mode, mode === "plan");
  if (!context.team || isLead(member)) return;
  await store.inboxes.appendRecord(context.team.folder, member.name, { from: LEAD_NAME, text: bodyText(body) });
}

/**
 * Sets a member's mode from its next decision on, and writes it into its entry of config.json as the reference does.
 * `fixed`: whether a person or a flag set it, so that leaving plan mode needs a decision.
 */
export async function setMemberMode(
  context: MemberContext,
  running: RunningMember,
  mode: PermissionMode,
  fixed: boolean,
): Promise<void> {
  running.member.permission = { mode, fixed };
  if (context.team) await context.options.store.teams.updateMember(context.team.folder, running.member.name, { mode });
  writePresence(context, running);
  context.changes.fire();
}
