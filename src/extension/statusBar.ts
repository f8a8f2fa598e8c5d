import * as vscode from "vscode";

/** The one item in the status bar: members that work, and what waits for the person. Hidden while no team runs here. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("muster.status", vscode.StatusBarAlignment.Left);
    this.item.name = vscode.l10n.t("Agent Teams");
    this.item.command = "muster.showTeam";
  }

  /** Null: no team runs here. */
  update(team: { title: string; members: number; working: number; waiting: number; paused: boolean } | null): void {
    if (!team) {
      this.item.hide();
      return;
    }
    const { title, members, working, waiting, paused } = team;
    const state = paused ? `$(debug-pause) ${vscode.l10n.t("Paused")}` : `$(organization) ${working}/${members}`;
    this.item.text = `${state}${waiting > 0 ? ` $(bell-dot) ${waiting}` : ""}`;
    const works = paused ? vscode.l10n.t("Paused") : vscode.l10n.t("{0} of {1} working", working, members);
    const waits = waiting > 0 ? vscode.l10n.t("{0} waiting for you", waiting) : vscode.l10n.t("nothing waits for you");
    this.item.tooltip = `${title}: ${works}, ${waits}`;
    this.item.accessibilityInformation = { label: `${this.item.name}, ${this.item.tooltip}` };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}
