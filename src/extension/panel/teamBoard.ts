import * as vscode from "vscode";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { BOARD_VIEW, type ShownTeam } from "../teams/shownTeam.ts";
import { BoardFeed } from "./boardFeed.ts";
import { sayMessage } from "./sayPanel.ts";
import type { PanelPorts } from "./teamPanel.ts";
import { fillWebview, postWhole } from "./webviewDocument.ts";

/**
 * The Team Board, one editor of the window. As with the view *Team*, hiding it takes its document away; after a reload
 * VS Code gives its editor back.
 */
export class TeamBoard implements vscode.Disposable {
  private readonly ports: PanelPorts;
  private panel: vscode.WebviewPanel | null = null;
  /** A request that the board shows as soon as it is ready. */
  private wanted: string | null = null;
  readonly feed: BoardFeed;

  constructor(ports: PanelPorts) {
    this.ports = ports;
    this.feed = new BoardFeed((message) => this.post(message), ports.fallback);
  }

  /** Opens the board, or goes to it. */
  open(): void {
    if (this.panel) this.panel.reveal();
    else this.take(vscode.window.createWebviewPanel(BOARD_VIEW, vscode.l10n.t("Team Board"), vscode.ViewColumn.Active));
  }

  /** Opens the board with a request on it. */
  showRequest(id: string): void {
    this.wanted = id;
    this.open();
    if (this.feed.columns) this.ready();
  }

  /** To be called when the webview is ready: what was asked for before is shown now. */
  ready(): void {
    if (this.wanted !== null) this.post({ type: "reveal", what: { kind: "request", id: this.wanted } });
    this.wanted = null;
  }

  /** Takes an editor that is new, or that was open before the window was reloaded. There is one board: a second one closes. */
  take(panel: vscode.WebviewPanel): void {
    if (this.panel) {
      panel.dispose();
      return;
    }
    this.panel = panel;
    panel.iconPath = new vscode.ThemeIcon("type-hierarchy");
    panel.webview.onDidReceiveMessage(this.ports.onMessage);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.feed.setColumns(null);
    });
    panel.onDidDispose(() => {
      this.panel = null;
      this.feed.setColumns(null);
    });
    fillWebview(panel.webview, this.ports.extension, "board");
    this.describe();
  }

  /** Shows another team, or none. */
  show(team: ShownTeam | null): void {
    this.feed.show(team);
    this.describe();
  }

  /** The team's name stands in the editor's tab. */
  describe(): void {
    if (!this.panel) return;
    const team = this.ports.title();
    const title = team === "" ? vscode.l10n.t("Team Board") : vscode.l10n.t("Team Board: {0}", team);
    if (this.panel.title !== title) this.panel.title = title;
  }

  /** Sends a message, if the webview is there. */
  post(message: HostMessage): void {
    if (this.panel) postWhole(this.panel.webview, sayMessage(message, this.ports.say));
  }

  dispose(): void {
    this.feed.dispose();
  }
}
