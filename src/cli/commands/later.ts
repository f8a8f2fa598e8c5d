import * as z from "zod";
import { defineCommand, flag, type Options, value } from "../command.ts";
import { usageError } from "../usageError.ts";

const text = z.string();

/** Commands of the contract that a later version brings: known, so that they say so. */
export const LATER_COMMANDS = [
  later("attach", ["TEAM", "AGENT"], "Show a member's screen", {}),
  later("teammate", [], "Be a teammate of a lead", {
    "agent-id": value("A@T", "", text),
    "agent-name": value("A", "", text),
    "team-name": value("T", "", text),
    "agent-color": value("C", "", text),
    "parent-session-id": value("U", "", text),
    "agent-type": value("G", "", text),
    model: value("M", "", text),
    "lead-verify-key": value("K", "", text),
    "plan-mode-required": flag(""),
    "permission-mode": value("M", "", text),
    "dangerously-skip-permissions": flag(""),
    allowedTools: value("L", "", text),
    "allowed-tools": value("L", "", text),
    disallowedTools: value("L", "", text),
    "disallowed-tools": value("L", "", text),
    tools: value("L", "", text),
    "spawn-file": value("F", "", text),
  }),
];

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
