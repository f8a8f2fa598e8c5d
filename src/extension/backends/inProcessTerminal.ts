import * as vscode from "vscode";
import { DisposableStore } from "../../base/disposable.ts";
import { errorMessage } from "../../base/errors.ts";
import { LEAD_NAME } from "../../protocol/names.ts";
import type { TranscriptRecord } from "../../protocol/transcript.ts";
import type { People } from "../../team/people.ts";
import { TerminalScreen } from "../../team/terminalScreen.ts";
import type { MemberView, TeamSession } from "../../team/types.ts";
import { createTerminalInput, type TerminalInput } from "./terminalInput.ts";

/** What a terminal needs of the team that it belongs to. */
export interface TerminalTeam {
  session: TeamSession;
  people: People;
  /** The member's records so far. */
  records(member: string): readonly TranscriptRecord[];
  streaming(member: string): string;
}

/** A pseudoterminal in which a member's transcript grows; a typed line goes to the member as the person's words. */
export class InProcessTerminal implements vscode.Pseudoterminal, vscode.Disposable {
  private readonly output = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<undefined>();
  private readonly owned = new DisposableStore();
  private readonly team: TerminalTeam;
  private readonly member: MemberView;
  private readonly input: TerminalInput;
  private screen: TerminalScreen | null = null;
  private columns = 0;

  constructor(team: TerminalTeam, member: MemberView) {
    this.team = team;
    this.member = member;
    this.input = this.owned.add(
      createTerminalInput({
        typed: (line) => this.write((screen) => screen.type(line)),
        entered: (text) => void this.send(text),
        interrupted: () => team.session.interrupt(member.name),
      }),
    );
    this.owned.add(this.output);
    this.owned.add(this.closed);
  }

  readonly onDidWrite = this.output.event;
  readonly onDidClose = this.closed.event;

  open(size: vscode.TerminalDimensions | undefined): void {
    const { team, member } = this;
    this.columns = size?.columns ?? 80;
    const about = [member.agentType, member.model, team.session.team].filter(Boolean).join(" · ");
    const screen = new TerminalScreen(team.people(member.name), about, team.people, this.columns);
    for (const record of team.records(member.name)) screen.add(record);
    const streaming = team.streaming(member.name);
    if (streaming !== "") screen.write(streaming);
    this.screen = screen;
    this.output.fire(screen.resize(this.columns));
    this.owned.add(
      team.session.onRecord((event) => event.member === member.name && this.write((s) => s.add(event.record))),
    );
    this.owned.add(
      team.session.onText((event) => event.member === member.name && this.write((s) => s.write(event.text))),
    );
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    if (size.columns === this.columns) return;
    this.columns = size.columns;
    this.write((screen) => screen.resize(size.columns));
  }

  handleInput(data: string): void {
    this.input.feed(data);
  }

  close(): void {
    this.dispose();
  }

  dispose(): void {
    this.screen = null;
    this.owned.dispose();
  }

  private async send(text: string): Promise<void> {
    try {
      await this.team.session.say(this.member.name, text);
    } catch (error) {
      this.write((screen) => screen.note("error", errorMessage(error)));
    }
  }

  private write(draw: (screen: TerminalScreen) => string): void {
    if (this.screen) this.output.fire(draw(this.screen));
  }
}

/** The terminals of a team's members: each is opened once, by a click or a command, and found again after that. */
export class MemberTerminals implements vscode.Disposable {
  private readonly terminals = new Map<string, vscode.Terminal>();
  private readonly owned = new DisposableStore();

  constructor() {
    this.owned.add(
      vscode.window.onDidCloseTerminal((closed) => {
        for (const [name, terminal] of this.terminals) if (terminal === closed) this.terminals.delete(name);
      }),
    );
  }

  open(team: TerminalTeam, member: MemberView, preserveFocus: boolean): void {
    const key = `${team.session.id} ${member.name}`;
    const terminal = this.terminals.get(key) ?? this.create(team, member);
    this.terminals.set(key, terminal);
    terminal.show(preserveFocus);
  }

  dispose(): void {
    for (const terminal of this.terminals.values()) terminal.dispose();
    this.owned.dispose();
  }

  private create(team: TerminalTeam, member: MemberView): vscode.Terminal {
    const color = TERMINAL_COLORS[member.color ?? ""];
    return vscode.window.createTerminal({
      name: member.displayName,
      pty: new InProcessTerminal(team, member),
      iconPath: new vscode.ThemeIcon(member.name === LEAD_NAME ? "organization" : "person"),
      isTransient: true,
      ...(color ? { color: new vscode.ThemeColor(color) } : {}),
    });
  }
}

/** Only these colours may be a terminal's. */
const TERMINAL_COLORS: Readonly<Record<string, string>> = {
  blue: "terminal.ansiBlue",
  green: "terminal.ansiGreen",
  yellow: "terminal.ansiYellow",
  purple: "terminal.ansiMagenta",
  orange: "terminal.ansiBrightRed",
  pink: "terminal.ansiBrightMagenta",
  cyan: "terminal.ansiCyan",
  red: "terminal.ansiRed",
};
