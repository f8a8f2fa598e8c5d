import type { MemberContext, RunningMember } from "../context.ts";

/** Makes sure that a member has a plan file of its own, and gives its path. */
export async function ensurePlanFile(context: MemberContext, running: RunningMember): Promise<string> {
  const path = running.planFile ?? (await context.options.store.plans.newPath());
  running.planFile = path;
  return path;
}
