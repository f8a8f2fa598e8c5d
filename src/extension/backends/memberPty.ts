import type * as vscode from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { errorMessage, MusterError } from "../../base/errors.ts";
import { tellPauses } from "../../team/limits/tellPauses.ts";
import type { MemberView, TeamSession } from "../../team/types.ts";
import { MARK_PASTES } from "../../team/views/pastes.ts";
import { createTerminalInput } from "../../team/views/terminalInput.ts";
import type { TerminalScreen } from "../../team/views/terminalScreen.ts";
import type { Say } from "../displayLanguage.ts";

/** What a terminal needs of the team that it belongs to. */
export interface TerminalTeam {
  session: TeamSession;
  /** A screen that holds the member's transcript so far, and the reply that is being written. */
  screen(member: MemberView, columns: number, say: Say): TerminalScreen;
}

/**
 * A pseudoterminal in which a member's transcript grows; a typed line goes to the member as the person's words. What
 * cannot be done stands below it, one sentence. `say` puts our own sentences into the display language.
 */
export function memberPty(team: TerminalTeam, member: MemberView, say: Say): vscode.Pseudoterminal {
  const { session } = team;
  const owned = new DisposableStore();
  const output = owned.add(new Emitter<string>());
  let screen: TerminalScreen | null = null;
  let columns = 0;
  const write = (draw: (screen: TerminalScreen) => string) => {
    if (screen) output.fire(draw(screen));
  };
  const isGone = () =>
    !session.members().some(({ name, incarnation }) => name === member.name && incarnation === member.incarnation);
  const isMeant = (event: { member: string }) => event.member === member.name && !isGone();
  const ifThere = async (act: () => Promise<unknown>) => {
    if (isGone()) throw new MusterError("unknown_member", `${member.displayName} is not in the team any more.`);
    await act();
  };
  const fail = (error: unknown, words?: string) => write((on) => on.note("error", errorMessage(error), words));
  const input = owned.add(
    createTerminalInput({
      typed: (line) => write((on) => on.type(line.text === "" && isGone() ? null : line)),
      entered: (text) => {
        write((on) => on.enter(text));
        ifThere(() => session.say(member.name, text)).catch((error: unknown) => fail(error, text));
      },
      interrupted: () => void ifThere(() => session.interrupt(member.name)).catch(fail),
    }),
  );
  return {
    onDidWrite: output.event,
    open(size) {
      columns = size?.columns ?? 80;
      screen = team.screen(member, columns, say);
      output.fire(MARK_PASTES + screen.resize(columns));
      owned.add(session.onRecord((event) => isMeant(event) && write((on) => on.add(event.record))));
      owned.add(session.onDidChange(() => isGone() && write((on) => on.type(null))));
      const held = () => session.pauses.member(member.name);
      const tell = (sentence: string) => isGone() || write((on) => on.note("muted", sentence));
      owned.add(tellPauses(held, session.onDidChange, tell));
      const waits = () => isGone() || write((on) => on.waits(waitOf(session, member.name)));
      waits();
      owned.add(session.onDidChange(waits));
      owned.add(session.requests.onDidChange(waits));
      owned.add(session.onText((event) => isMeant(event) && write((on) => on.write(event.text))));
    },
    setDimensions(size) {
      if (size.columns === columns) return;
      columns = size.columns;
      write((on) => on.resize(columns));
    },
    handleInput: (data) => input.feed(data),
    close() {
      screen = null;
      owned.dispose();
    },
  };
}

/** What a member that waits for a decision waits for: the person's, or the lead's. */
function waitOf(session: TeamSession, name: string): string | null {
  if (session.requests.pending.some(({ from }) => from === name))
    return "Waits for your decision, in the view Agent Teams.";
  const waits = session.members().some((member) => member.name === name && member.state === "waiting");
  return waits ? "Waits for a decision." : null;
}
