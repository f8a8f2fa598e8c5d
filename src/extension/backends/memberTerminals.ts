import * as vscode from "vscode";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { Attach, MemberView } from "../../team/types.ts";
import type { Say } from "../displayLanguage.ts";
import { KeptTerminals } from "./keptTerminals.ts";
import { memberPty, type TerminalTeam } from "./memberPty.ts";
import { terminalColor } from "./terminalColors.ts";

/** The terminals of a team's members: each is opened once, by a click or a command, and found again after that. */
export class MemberTerminals implements vscode.Disposable {
  private readonly kept = new KeptTerminals<vscode.Terminal>();
  private readonly closing: vscode.Disposable;
  private readonly say: Say;

  /** `say` puts our own sentences into the display language. */
  constructor(say: Say) {
    this.say = say;
    this.closing = vscode.window.onDidCloseTerminal((closed) => this.kept.forget(closed));
  }

  /** A terminal in which the member's transcript grows. */
  open(team: TerminalTeam, member: MemberView, preserveFocus: boolean): void {
    const icon = member.name === LEAD_NAME ? "organization" : "person";
    const pty = () => memberPty(team, member, this.say);
    const create = () => vscode.window.createTerminal({ ...lookOf(member, icon), pty: pty() });
    this.kept.of(team.session, member, create).show(preserveFocus);
  }

  /**
   * A terminal that runs a command to show the member, such as one that attaches to its tmux pane. It is closed when the
   * member has gone: tmux would go on with the pane of another.
   */
  attach({ session }: TerminalTeam, member: MemberView, attach: Attach, preserveFocus: boolean): void {
    const [shellPath = "", ...shellArgs] = attach.argv;
    const env = { TMUX: null, TMUX_PANE: null };
    const create = () => {
      const terminal = vscode.window.createTerminal({ ...lookOf(member, "person"), shellPath, shellArgs, env });
      void attach.exited.then(() => this.kept.close(terminal));
      return terminal;
    };
    this.kept.of(session, member, create).show(preserveFocus);
  }

  dispose(): void {
    this.closing.dispose();
    this.kept.dispose();
  }
}

function lookOf(member: MemberView, icon: string) {
  const color = terminalColor(member.color);
  const iconPath = new vscode.ThemeIcon(icon);
  return { name: member.displayName, iconPath, isTransient: true, ...(color ? { color } : {}) };
}
