import type { Disposable } from "../../base/disposable.ts";
import { errorMessage } from "../../base/errors.ts";
import { openTmux } from "../../team/backends/tmuxClient.ts";
import type { SessionOptions, TeamSession } from "../../team/types.ts";
import type { CliContext } from "../context.ts";

/**
 * Says once, at the first teammate that runs in tmux, how to look at them, until it is disposed: where they have a server
 * of their own, nothing on this screen shows where they are. `say` shows a sentence and a command.
 */
export function tellTmux(
  session: Pick<TeamSession, "cwd" | "events" | "members" | "team">,
  { store, processes, logger }: SessionOptions,
  { env }: CliContext,
  say: (sentence: string, command: string) => void,
): Disposable {
  const isElsewhere = processes?.starter.type === "tmux" && !(env["TMUX"] && env["TMUX_PANE"]);
  if (!isElsewhere) return { dispose() {} };
  const place = async (member: string) => {
    const { members } = await store.teams.read(session.team ?? "");
    const pane = members.find(({ name }) => name === member)?.tmuxPaneId ?? "";
    const tmux = await openTmux({ env, project: session.cwd, server: ["-L", "muster"] });
    return (await tmux.run([["display-message", "-p", "-t", pane, "#{session_name}"]])).trim();
  };
  const listening = session.events((event) => {
    if (event.type !== "member_state" || event.state === "starting") return;
    const isTeammate = session.members().some(({ name, isLead }) => name === event.member && !isLead);
    if (!isTeammate) return;
    listening.dispose();
    place(event.member).then(
      (name) => say("Teammates are in tmux, where this shows them:", `tmux -L muster attach -t ${name}`),
      (error: unknown) => logger.debug(`Where ${event.member} runs is not known: ${errorMessage(error)}`),
    );
  });
  return listening;
}
