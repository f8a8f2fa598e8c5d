import path from "node:path";
import type { ProcessHost, ProcessNeeds } from "../../team/backends/process.ts";
import type { ProcessStarter } from "../../team/backends/processStarter.ts";
import { foreignProgram, ownProgram } from "../../team/backends/teammateProgram.ts";
import { createTmuxStarter } from "../../team/backends/tmux.ts";
import type { StartPorts } from "./startTeam.ts";

/**
 * How a window runs teammates as processes, by the setting `muster.teammateMode`; undefined: in the extension host. In
 * the window `auto` is in-process, wherever VS Code was started from.
 */
export function processHost(
  { settings, terminals, program, log }: StartPorts,
  needs: ProcessNeeds,
): ProcessHost | undefined {
  const { teammateMode: mode, teammateCommand: command } = settings;
  const own = mode === "auto" || mode === "in-process";
  log.info(`Teammates run ${PLACES[mode]} (muster.teammateMode: ${mode}).`);
  if (own) {
    if (command !== "") log.warn("muster.teammateCommand has no effect while teammates run in the window itself.");
    return undefined;
  }
  const tmux = { env: process.env, project: needs.project, root: needs.root, logger: log };
  const starter: ProcessStarter = mode === "tmux" ? createTmuxStarter(tmux) : terminals;
  const around = { root: needs.root, env: process.env };
  const started =
    command === ""
      ? ownProgram(process.execPath, program, around)
      : foreignProgram(path.resolve(command), settings.teammateSigned ?? false, around);
  return { starter, program: started, api: needs.api };
}

const PLACES = {
  auto: "in the window itself",
  "in-process": "in the window itself",
  terminal: "in VS Code's terminals, each hidden until it is opened",
  tmux: "in tmux, on a server of their own",
} as const;
