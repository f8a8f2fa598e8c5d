import * as z from "zod";
import { givenModeSchema, PERMISSION_MODES, resolveMode } from "../../protocol/mode.ts";
import { acceptTeamName } from "../../protocol/names.ts";
import { type Call, defineCommand, value } from "../command.ts";
import { type CliContext, readText } from "../context.ts";
import { APPROVE_MODES, type ApproveMode } from "../run/approver.ts";
import { TEAMMATE_MODES } from "../run/teammateMode.ts";
import { oneOf, ruleList } from "../schemas.ts";
import { usageError } from "../usageError.ts";

/** `--approve` of `run` and `demo`. */
export const APPROVE_OPTION = value(
  "ask|stdin|all|none",
  "who decides plans and permissions (on a terminal: ask, else none)",
  oneOf(APPROVE_MODES),
);

/** `--teammate-mode` of `run` and `demo`. */
export const TEAMMATE_MODE_OPTION = value(
  "auto|in-process|tmux",
  "where teammates run (auto: in tmux inside tmux, else in this process)",
  oneOf(TEAMMATE_MODES, ["auto", "in-process", "tmux"]),
);

const OPTIONS = {
  team: value("NAME", "the team's name, whatever the lead calls it", z.string()),
  cwd: value("DIR", "the project folder (default: this folder)", z.string()),
  model: value("MODEL", "haiku, sonnet, opus or a full id (default: sonnet)", z.string().min(1, "name a model")),
  "permission-mode": value(
    PERMISSION_MODES.join("|"),
    "mode of the lead, inherited by teammates",
    oneOf(givenModeSchema.options, PERMISSION_MODES),
  ),
  "teammate-mode": TEAMMATE_MODE_OPTION,
  approve: APPROVE_OPTION,
  allowedTools: value("RULES", "rules that allow without asking: 'Bash(npm test),WebFetch'", ruleList),
  disallowedTools: value("RULES", "rules that deny", ruleList),
  "teammate-command": value("PROGRAM", "program that each teammate runs, in tmux; started without a shell", z.string()),
  template: value("FILE", null, z.string()),
} as const;

/** `muster run GOAL`. */
export const runCommand = defineCommand({
  name: "run",
  args: ["GOAL"],
  summary: "Run a team on a goal until it is at rest",
  notes: `--approve ask    asks on this terminal: the whole command or plan, allow or deny, approve or send back
--approve stdin  reads JSON Lines {"id", "decision": "allow|deny|approve|reject", "reason"?, "updatedInput"?, "mode"?}
--approve all    decides yes, except on protected files and critical removals; deny rules count as ever
--approve none   decides no: permissions denied, a member's first plan sent back, its second ends it
Ctrl-C interrupts the lead, a second one within 3 s ends the team in order. The team's files stay unless its lead deletes them.`,
  options: OPTIONS,
  async run(call, context) {
    refuseWhatComesLater(call.options);
    const approve = approveMode(call.options.approve, context);
    if (call.args.GOAL === "-" && approve === "stdin")
      throw usageError("GOAL and --approve stdin cannot both read standard input: give the goal as text.");
    const { options } = call;
    const teamName = options.team === undefined ? undefined : acceptTeamName(options.team);
    const goal = await readText(call.args.GOAL, "GOAL", context.io);
    const mode = options["permission-mode"];
    const { runGoal } = await import("../run/runGoal.ts"); // the agents' code is loaded only where it runs
    return runGoal(
      {
        ...{ goal, approve, teamName, cwd: options.cwd, model: options.model },
        permissionMode: mode === undefined ? undefined : resolveMode(mode),
        allow: options.allowedTools ?? [],
        deny: options.disallowedTools ?? [],
        teammates: { mode: options["teammate-mode"], command: options["teammate-command"] },
      },
      context,
    );
  },
});

/** The way of deciding: as given, else `ask` on a terminal and `none` elsewhere, of which a person hears who is there. */
export function approveMode(given: ApproveMode | undefined, { io, notes }: CliContext): ApproveMode {
  const { stdinIsTerminal: hears, stderr } = io;
  const onTerminal = hears && stderr.isTerminal;
  if (given === "ask" && !onTerminal) throw usageError("--approve ask needs a terminal: use stdin, all or none.");
  if (given === undefined && hears !== stderr.isTerminal)
    notes.add(`Nobody is asked (--approve none): standard ${hears ? "error" : "input"} is no terminal.`);
  return given ?? (onTerminal ? "ask" : "none");
}

function refuseWhatComesLater(options: Call<readonly [], typeof OPTIONS>["options"]): void {
  if (options.template !== undefined)
    throw usageError("Templates come with a later version: leave --template out, and say in GOAL who is to do what.");
}
