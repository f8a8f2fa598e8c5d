import type { ProcessHost, ProcessNeeds } from "../../team/backends/process.ts";
import { foreignProgram, ownProgram } from "../../team/backends/teammateProgram.ts";
import { createTmuxStarter } from "../../team/backends/tmux.ts";
import { cliLogger } from "../cliLogger.ts";
import type { CliContext } from "../context.ts";
import { requirePlace, runsInTmux, type TeammatePlace } from "./teammateMode.ts";

/** How teammates run as processes, or undefined: in this process. Throws `usage` where they cannot run in the place. */
export function teammateHost(
  { mode = "auto", command }: TeammatePlace,
  context: CliContext,
  needs: ProcessNeeds,
): ProcessHost | undefined {
  requirePlace({ mode, command });
  const { TMUX: tmux, TMUX_PANE: pane } = context.env;
  const logger = cliLogger(context);
  const inTmux = runsInTmux({ mode, command }, context.env);
  const lead = tmux && pane ? { tmux, pane } : undefined;
  logger.info(
    `Teammates run ${inTmux ? `in tmux${lead ? ", beside this pane" : ", on a server of their own"}` : "in this process"}.`,
  );
  if (!inTmux) return undefined;
  const starter = createTmuxStarter({ env: context.env, project: needs.project, root: needs.root, lead, logger });
  const around = { root: needs.root, env: context.env };
  const own = () => ownProgram(process.execPath, process.argv[1] ?? "", around);
  return { starter, program: command === undefined ? own() : foreignProgram(command, false, around), api: needs.api };
}
