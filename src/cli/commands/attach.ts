import { defineCommand } from "../command.ts";

/** `muster attach TEAM AGENT`. */
export const attachCommand = defineCommand({
  name: "attach",
  args: ["TEAM", "AGENT"],
  summary: "Show a member's screen as it grows",
  notes: "Only to be read: Ctrl-] or Ctrl-C leaves it, and it ends with the member. `muster send` writes to a member.",
  json: false,
  options: {},
  async run({ args }, context) {
    const { attachMember } = await import("../teammate/attachMember.ts"); // what draws a screen is loaded where it is drawn
    return attachMember(args.TEAM, args.AGENT, context);
  },
});
