import { findProgram } from "../../agent/tools/findProgram.ts";
import { MusterError } from "../../base/errors.ts";
import { openTmux, TmuxRefusal } from "../../team/backends/tmuxClient.ts";
import type { CliContext } from "../context.ts";
import { runsInTmux, type TeammatePlace } from "./teammateMode.ts";

const INSTEAD = "say --teammate-mode in-process";

/**
 * Throws `not_ready` where teammates are to run in tmux and it cannot be asked: a run that begins all the same would find
 * that out at its first teammate. `project`: the folder whose programs are not run.
 */
export async function requireTmux(place: TeammatePlace, { env }: CliContext, project: string): Promise<void> {
  if (!runsInTmux(place, env)) return;
  if ((await findProgram("tmux", [], env["PATH"], project)) === undefined)
    throw notReady(`tmux is not installed: install it (\`apt install tmux\`, \`brew install tmux\`), or ${INSTEAD}.`);
  const { TMUX: tmux, TMUX_PANE: pane } = env;
  const isInside = Boolean(tmux && pane);
  try {
    const server = tmux && pane ? ["-S", tmux.replace(/,\d+,\d+$/, "")] : ["-L", "muster"];
    const client = await openTmux({ env, project, server });
    await client.run([tmux && pane ? ["display-message", "-p", "-t", pane] : ["list-sessions"]]);
  } catch (error) {
    if (!(error instanceof TmuxRefusal)) throw error;
    if (!error.isGone)
      throw notReady(`tmux refused (${error.message}): see whether it is version 3.2 or later, or ${INSTEAD}.`);
    if (isInside)
      throw notReady(
        `The tmux server of this terminal is gone (${error.message}): start in another terminal, or ${INSTEAD}.`,
      );
  }
}

function notReady(sentence: string): MusterError {
  return new MusterError("not_ready", sentence);
}
