import { isLead } from "../../protocol/team.ts";
import { DELEGATE_TOOLS } from "../agentTypes.ts";
import type { MemberContext, RunningMember } from "../context.ts";

/**
 * Delegate mode of the lead, a flag of its session that the person sets: while it is on, the lead has only team, message
 * and task tools. It counts from the next request on, and for calls that are under way from their judgement on.
 */
export function isHeldBack(context: MemberContext, running: RunningMember, tool: string): boolean {
  return context.delegates && isLead(running.member) && !DELEGATE_TOOLS.has(tool);
}

/** What the lead is told of a tool that it does not have now. */
export const HELD_BACK =
  "The person has put you into delegate mode: you plan, spawn, write messages and keep the tasks; teammates do the work. Give this to one of them.";
