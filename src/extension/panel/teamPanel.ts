import * as vscode from "vscode";
import type { Logger } from "../../base/logger.ts";
import type { PanelState } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import type { Say } from "../displayLanguage.ts";
import { type ShownTeam, TEAM_VIEW } from "../teams/shownTeam.ts";
import { createDelivery, type Delivery } from "./delivery.ts";
import { PanelFeed } from "./panelFeed.ts";
import { sayMessage } from "./sayPanel.ts";
import { fillWebview, postWhole } from "./webviewDocument.ts";

type Reveal = Extract<HostMessage, { type: "reveal" }>["what"];

/** What the view needs of the rest of the extension. */
export interface PanelPorts {
  extension: vscode.Uri;
  /** The state while there is no team. */
  fallback(): PanelState;
  /** What stands behind the view's name. */
  title(): string;
  /** Our own sentences in the display language. */
  say: Say;
  log: Logger;
  /** Everything that the webview sends. */
  onMessage(message: unknown): void;
}

/** The webview *Team*. Hiding it takes its document away; showing it makes a new one, which says that it is ready. */
export class TeamPanel implements vscode.Disposable {
  private readonly ports: PanelPorts;
  private view: vscode.WebviewView | null = null;
  private readonly delivery: Delivery;
  private lastMember: string | null = null;
  readonly feed: PanelFeed;

  constructor(ports: PanelPorts) {
    this.ports = ports;
    this.feed = new PanelFeed((message) => this.post(message), ports.fallback, ports.log);
    const send = (message: HostMessage) => {
      if (this.view) postWhole(this.view.webview, sayMessage(message, ports.say));
    };
    this.delivery = createDelivery(send, () => this.view !== null && this.feed.view !== null);
  }

  /** VS Code shows the view for the first time. */
  resolve(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.onDidReceiveMessage(this.ports.onMessage);
    const hide = () => {
      this.lastMember = this.member;
      this.feed.setView(null);
    };
    view.onDidChangeVisibility(() => {
      if (!view.visible) hide();
    });
    view.onDidDispose(() => {
      this.view = null;
      hide();
    });
    fillWebview(view.webview, this.ports.extension, "team");
  }

  /** Whose conversation the webview shows, or showed before it was hidden; null: the lead's. */
  get member(): string | null {
    return this.feed.view ? this.feed.view.member : this.lastMember;
  }

  /** Shows another team, or none. */
  show(team: ShownTeam | null): void {
    this.feed.show(team);
    this.describe();
  }

  /** The team's name stands in the view's own header. */
  describe(): void {
    if (this.view) this.view.description = this.ports.title();
  }

  /** Sends a message, if the webview is there; what an intent came to, once it is: it may be about what was typed. */
  post(message: HostMessage): void {
    this.delivery.post(message);
  }

  /** Opens the view where it is hidden. */
  async open(options: { preserveFocus: boolean }): Promise<void> {
    await vscode.commands.executeCommand(`${TEAM_VIEW}.focus`, options);
  }

  /** Opens the view, focused, and shows something in it. */
  async reveal(what: Reveal): Promise<void> {
    this.delivery.later({ type: "reveal", what });
    await this.open({ preserveFocus: false });
    if (this.feed.view) this.ready();
  }

  /** To be called when the webview is ready: what was asked for before is shown now, and what came of intents told. */
  ready(): void {
    this.describe();
    this.delivery.ready();
  }

  dispose(): void {
    this.feed.dispose();
  }
}
