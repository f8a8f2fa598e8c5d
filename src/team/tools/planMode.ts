import * as z from "zod";
import type { Tool } from "../../agent/types.ts";
import type { MemberContext, RunningMember } from "../context.ts";
import { enterPlanMode, exitPlanMode } from "../requests/plans.ts";
import { teamTool } from "./teamTool.ts";

/** EnterPlanMode and ExitPlanMode for one member. */
export function planModeTools(context: MemberContext, running: RunningMember): Tool[] {
  return [
    teamTool({
      name: "EnterPlanMode",
      description:
        "Puts yourself into plan mode before work that is large or risky: you read and think, change nothing, and write a plan to a file of your own.",
      inputSchema: z.object({}),
      run: () => enterPlanMode(context, running),
    }),
    teamTool({
      name: "ExitPlanMode",
      description:
        "Hands in the plan that you wrote to your plan file (or give its text as plan). Where the plan has to be approved, the result says what was decided: approved, with your new mode, or sent back, with comments to work in.",
      inputSchema: z.object({
        plan: z.optional(z.string()).describe("The plan's text; without it your plan file is read"),
      }),
      repeatable: true,
      run: ({ plan }, { signal }) => exitPlanMode(context, running, plan, signal),
    }),
  ];
}
