import type { ProcessHost, TeammateProgram } from "../../team/backends/process.ts";
import { createTmuxStarter } from "../../team/backends/tmux.ts";
import { memberEnvironment } from "../../team/memberEnvironment.ts";
import type { CliContext } from "../context.ts";
import { usageError } from "../usageError.ts";
import { cliLogger } from "./cliLogger.ts";
import type { TeammatePlace } from "./teammateMode.ts";

/** What the processes of teammates need of a run. */
export interface TeammateNeeds {
  root: string;
  project: string;
  api: ProcessHost["api"];
}

/** How teammates run as processes, or undefined: in this process. Throws `usage` for what a terminal cannot do. */
export function teammateHost(
  { mode = "auto", command }: TeammatePlace,
  context: CliContext,
  needs: TeammateNeeds,
): ProcessHost | undefined {
  if (mode === "terminal")
    throw usageError("--teammate-mode terminal is for VS Code's own terminals: use tmux or in-process here.");
  const { TMUX: tmux, TMUX_PANE: pane } = context.env;
  const logger = cliLogger(context);
  const inTmux = mode === "tmux" || (mode === "auto" && Boolean(tmux)) || (mode === "auto" && command !== undefined);
  logger.info(
    `Teammates run ${inTmux ? `in tmux${tmux ? ", beside this pane" : ", on a server of their own"}` : "in this process"}.`,
  );
  if (!inTmux) {
    if (command !== undefined) throw usageError("--teammate-command needs --teammate-mode tmux.");
    return undefined;
  }
  const lead = tmux && pane ? { tmux, pane } : undefined;
  const starter = createTmuxStarter({ env: context.env, project: needs.project, lead, logger });
  return { starter, program: programOf(command, context, needs.root), api: needs.api };
}

function programOf(command: string | undefined, { env }: CliContext, root: string): TeammateProgram {
  const own = { ...memberEnvironment(env), CLAUDE_CONFIG_DIR: root };
  if (command === undefined) {
    const argv = [process.execPath, process.argv[1] ?? "", "teammate"];
    return { argv, isOwn: true, isSigned: true, env: own };
  }
  const foreign = { ...own, CLAUDECODE: "1", CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1" };
  return { argv: [command], isOwn: false, isSigned: false, env: foreign };
}
