import { defineCommand, type Options } from "../command.ts";
import { usageError } from "../usageError.ts";

/** Commands of the contract that a later version brings: known, so that they say so. */
export const LATER_COMMANDS = [later("attach", ["TEAM", "AGENT"], "Show a member's screen", {})];

function later(name: string, args: readonly string[], summary: string, options: Options) {
  return defineCommand({
    name,
    args,
    summary: `${summary} (comes with a later version)`,
    options,
    async run() {
      throw usageError(`\`muster ${name}\` comes with a later version.`);
    },
  });
}
