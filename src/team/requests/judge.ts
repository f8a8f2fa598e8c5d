import type { ToolCall } from "../../agent/types.ts";
import { decide } from "../../permission/decide.ts";
import type { Decision, DecisionContext } from "../../permission/types.ts";
import { SPAWN_TOOLS, TEAM_TOOLS } from "../agentTypes.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { rulesInForce } from "./rulesInForce.ts";

/** The engine's decision under the member's mode and all rules that are in force now. */
export async function judge(context: MemberContext, running: RunningMember, call: ToolCall): Promise<Decision> {
  const { options } = context;
  const { rules, additionalDirectories } = await rulesInForce(context);
  const decisionContext: DecisionContext = {
    mode: running.member.permission.mode,
    rules,
    cwd: options.cwd,
    projectRoot: options.cwd,
    additionalDirectories,
    home: options.home,
    outOfReach: options.store.paths.outOfReach,
    planFile: running.planFile ?? undefined,
    platform: process.platform === "win32" ? "win32" : "posix",
    fs: options.store.pathFs,
    teamTools: TEAM_TOOLS,
    spawnTools: SPAWN_TOOLS,
  };
  return decide({ tool: call.name, input: call.input }, decisionContext);
}
