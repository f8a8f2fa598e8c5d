import * as z from "zod";
import { givenModeSchema, PERMISSION_MODES, resolveMode } from "../../protocol/mode.ts";
import { LEAD_TOOL_NAMES } from "../../team/agentTypes.ts";
import { type Call, defineCommand, flag, value } from "../command.ts";
import { oneOf, ruleList } from "../schemas.ts";
import type { GivenTeammate } from "../teammate/runTeammateProcess.ts";
import { tellSentence } from "../tellSentence.ts";
import { usageError } from "../usageError.ts";

const text = z.string().min(1, "is empty");

const OPTIONS = {
  "agent-id": value("A@T", "its id: NAME@TEAM; or --agent-name and --team-name", text),
  "agent-name": value("A", "its name, which its team knows", text),
  "team-name": value("T", "the team's folder", text),
  "agent-color": value("C", "its colour (its entry in config.json counts)", text),
  "parent-session-id": value("U", "the lead's session", text),
  "agent-type": value("G", "its type (its entry in config.json counts)", text),
  model: value("M", "haiku, sonnet, opus or a full id", text),
  "lead-verify-key": value("K", "what the lead's entries are signed with", text),
  "plan-mode-required": flag("it plans first, and changes nothing before its plan is approved"),
  "permission-mode": value(
    PERMISSION_MODES.join("|"),
    "what it may do without asking",
    oneOf(givenModeSchema.options, PERMISSION_MODES),
  ),
  "dangerously-skip-permissions": flag("it asks for nothing"),
  allowedTools: value("RULES", "rules that allow without asking", ruleList),
  "allowed-tools": value("RULES", "the same", ruleList),
  disallowedTools: value("RULES", "rules that deny", ruleList),
  "disallowed-tools": value("RULES", "the same", ruleList),
  tools: value("LIST", "only these tools", ruleList),
  "spawn-file": value("F", "what its lead gives it beside the flags; read once", text),
} as const;

/** `muster teammate`: what a terminal or a tmux pane runs. */
export const teammateCommand = defineCommand({
  name: "teammate",
  args: [],
  usage: "--agent-id A@T",
  summary: "Be a teammate of a team, in this terminal",
  notes:
    "Its entry in config.json and its inbox must be there: a lead makes them. Without --spawn-file the key is $ANTHROPIC_API_KEY, and it lives without a lead. Typed lines are the person's words; Esc or Ctrl-C interrupts its run; two of them within 3 s end it. Exit 0 after an agreed shutdown, and for one that a lead had started after any end in order; else 1.",
  options: OPTIONS,
  async run(call, context) {
    const given = givenTeammate(call.options);
    const unknown = given.tools?.filter((name) => !LEAD_TOOL_NAMES.includes(name)) ?? [];
    if (unknown.length > 0) tellSentence(context.io, `--tools names what is no tool here: ${unknown.join(", ")}.`);
    const { runTeammateProcess } = await import("../teammate/runTeammateProcess.ts"); // loaded only where it runs
    return runTeammateProcess(given, context);
  },
});

function givenTeammate(options: Call<readonly [], typeof OPTIONS>["options"]): GivenTeammate {
  const [idName, idTeam] = splitId(options["agent-id"]);
  const name = options["agent-name"] ?? idName;
  const team = options["team-name"] ?? idTeam;
  if (name === undefined || team === undefined)
    throw usageError("Say who it is: --agent-id NAME@TEAM, or --agent-name NAME and --team-name TEAM.");
  if ((idName ?? name) !== name || (idTeam ?? team) !== team)
    throw usageError(`--agent-id ${options["agent-id"]} does not fit --agent-name ${name} and --team-name ${team}.`);
  return {
    ...{ name, team },
    parentSession: options["parent-session-id"] ?? null,
    model: options.model ?? null,
    verifyKey: options["lead-verify-key"] ?? null,
    mode: modeOf(options),
    plansFirst: options["plan-mode-required"] ?? false,
    allow: [...(options.allowedTools ?? []), ...(options["allowed-tools"] ?? [])],
    deny: [...(options.disallowedTools ?? []), ...(options["disallowed-tools"] ?? [])],
    tools: options.tools ?? null,
    spawnFile: options["spawn-file"] ?? null,
  };
}

function splitId(id: string | undefined): [string?, string?] {
  const at = id?.lastIndexOf("@") ?? -1;
  if (id === undefined) return [];
  if (at < 1 || at === id.length - 1) throw usageError(`--agent-id ${JSON.stringify(id)} is not NAME@TEAM.`);
  return [id.slice(0, at), id.slice(at + 1)];
}

function modeOf(options: Call<readonly [], typeof OPTIONS>["options"]): GivenTeammate["mode"] {
  if (options["dangerously-skip-permissions"]) return "bypassPermissions";
  const mode = options["permission-mode"];
  return mode === undefined ? null : resolveMode(mode);
}
