import { MusterError } from "../../base/errors.ts";
import type { SessionContext } from "../context.ts";
import type { Crew } from "../crew.ts";
import type { Lead } from "../lead/lead.ts";
import { closeTeam } from "../teamLife.ts";

/**
 * The team's files went without TeamDelete: another program took them. Nothing of the team can go on, so its teammates
 * end and the session rests as failed; the person's words wake the lead, which has no team then.
 */
export async function loseTeam(context: SessionContext, crew: Crew, lead: Lead): Promise<void> {
  if (!context.team || context.deleting) return;
  const { displayName } = context.team;
  closeTeam(context, null);
  lead.fail(
    new MusterError(
      "unknown_team",
      `Another program deleted the files of team ${displayName}: its members have ended.`,
    ),
  );
  await crew.endAll("the files of the team were deleted");
}
