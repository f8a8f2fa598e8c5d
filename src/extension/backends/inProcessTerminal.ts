import * as vscode from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { errorMessage } from "../../base/errors.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { MemberView, TeamSession } from "../../team/types.ts";
import { createTerminalInput } from "../../team/views/terminalInput.ts";
import type { TerminalScreen } from "../../team/views/terminalScreen.ts";
import { terminalColor } from "./terminalColors.ts";

/** What a terminal needs of the team that it belongs to. */
export interface TerminalTeam {
  session: TeamSession;
  /** A screen that holds the member's transcript so far, and the reply that is being written. */
  screen(member: MemberView, columns: number): TerminalScreen;
}

/** The terminals of a team's members: each is opened once, by a click or a command, and found again after that. */
export class MemberTerminals implements vscode.Disposable {
  private readonly terminals = new Map<string, vscode.Terminal>();
  private readonly closing: vscode.Disposable;

  constructor() {
    this.closing = vscode.window.onDidCloseTerminal((closed) => {
      for (const [key, terminal] of this.terminals) if (terminal === closed) this.terminals.delete(key);
    });
  }

  open(team: TerminalTeam, member: MemberView, preserveFocus: boolean): void {
    const key = `${team.session.id} ${member.name}`;
    const terminal = this.terminals.get(key) ?? createTerminal(team, member);
    this.terminals.set(key, terminal);
    terminal.show(preserveFocus);
  }

  /** A terminal that runs this command to show the member, such as one that attaches to its tmux pane. */
  attach(team: TerminalTeam, member: MemberView, argv: readonly string[], preserveFocus: boolean): void {
    const key = `${team.session.id} ${member.name}`;
    const terminal = this.terminals.get(key) ?? attachedTerminal(member, argv);
    this.terminals.set(key, terminal);
    terminal.show(preserveFocus);
  }

  dispose(): void {
    this.closing.dispose();
    for (const terminal of this.terminals.values()) terminal.dispose();
  }
}

function createTerminal(team: TerminalTeam, member: MemberView): vscode.Terminal {
  const color = terminalColor(member.color);
  return vscode.window.createTerminal({
    name: member.displayName,
    pty: memberPty(team, member),
    iconPath: new vscode.ThemeIcon(member.name === LEAD_NAME ? "organization" : "person"),
    isTransient: true,
    ...(color ? { color } : {}),
  });
}

function attachedTerminal(member: MemberView, [shellPath = "", ...shellArgs]: readonly string[]): vscode.Terminal {
  const color = terminalColor(member.color);
  return vscode.window.createTerminal({
    ...{ name: member.displayName, shellPath, shellArgs, env: { TMUX: null, TMUX_PANE: null } },
    iconPath: new vscode.ThemeIcon("person"),
    isTransient: true,
    ...(color ? { color } : {}),
  });
}

/** A pseudoterminal in which a member's transcript grows; a typed line goes to the member as the person's words. */
function memberPty(team: TerminalTeam, member: MemberView): vscode.Pseudoterminal {
  const { session } = team;
  const owned = new DisposableStore();
  const output = owned.add(new vscode.EventEmitter<string>());
  let screen: TerminalScreen | null = null;
  let columns = 0;
  const write = (draw: (screen: TerminalScreen) => string) => {
    if (screen) output.fire(draw(screen));
  };
  const isGone = () => !session.members().some(({ name }) => name === member.name);
  const input = owned.add(
    createTerminalInput({
      typed: (line) => write((on) => on.type(line.text === "" && isGone() ? null : line)),
      entered: (text) => void session.say(member.name, text).catch((error: unknown) => fail(error)),
      interrupted: () => void session.interrupt(member.name),
    }),
  );
  const fail = (error: unknown) => write((on) => on.note("error", errorMessage(error)));
  return {
    onDidWrite: output.event,
    open(size) {
      columns = size?.columns ?? 80;
      screen = team.screen(member, columns);
      output.fire(screen.resize(columns));
      owned.add(session.onRecord((event) => event.member === member.name && write((on) => on.add(event.record))));
      owned.add(session.onDidChange(() => isGone() && write((on) => on.type(null))));
      owned.add(session.onText((event) => event.member === member.name && write((on) => on.write(event.text))));
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
