import * as vscode from "vscode";
import type { MemberRow } from "../../protocol/panel.ts";
import type { Say } from "../displayLanguage.ts";
import type { TeamScreen } from "../teams/shownTeam.ts";
import { lookOf, memberLine, runs, themeColor, tokenCount } from "./memberWords.ts";

/** What the tree shows of a team; `live`: this window runs it. */
export interface TreeContent {
  state: TeamScreen;
  live: boolean;
}

/** The native tree *Members*: one row a member, and the badge with what waits for the person. */
export class TeamTree implements vscode.TreeDataProvider<MemberRow>, vscode.Disposable {
  private readonly say: Say;
  private readonly changes = new vscode.EventEmitter<undefined>();
  private readonly view: vscode.TreeView<MemberRow>;
  private content: TreeContent | null = null;
  private drawn = "";
  readonly onDidChangeTreeData = this.changes.event;

  constructor(say: Say) {
    this.say = say;
    this.view = vscode.window.createTreeView("muster.members", { treeDataProvider: this });
  }

  /** Shows what changed. `waiting`: requests, and a lead that waits for an answer; 0 takes the badge away. */
  update(content: TreeContent | null, waiting: number): void {
    this.content = content;
    const drawn = JSON.stringify([content?.live, this.getChildren()]);
    if (drawn !== this.drawn) this.changes.fire(undefined);
    this.drawn = drawn;
    this.view.message = content?.state.paused ? vscode.l10n.t("Paused") : "";
    const tooltip =
      waiting === 1 ? vscode.l10n.t("1 thing waits for you") : vscode.l10n.t("{0} things wait for you", waiting);
    if ((this.view.badge?.value ?? 0) !== waiting)
      this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
  }

  getChildren(parent?: MemberRow): MemberRow[] {
    return parent ? [] : (this.content?.state.members ?? []);
  }

  getTreeItem(member: MemberRow): vscode.TreeItem {
    const look = lookOf(member);
    const color = look.color ?? themeColor(member.color);
    const item = new vscode.TreeItem(member.displayName);
    item.id = member.name;
    item.description = [memberLine(member, this.say), member.tokens > 0 ? tokenCount(member.tokens) : ""]
      .filter(Boolean)
      .join(" · ");
    item.iconPath = new vscode.ThemeIcon(look.icon, color ? new vscode.ThemeColor(color) : undefined);
    const cost = member.cost === undefined ? "" : `\n$${member.cost.toFixed(2)}`;
    item.tooltip = `${member.displayName}\n${memberLine(member, this.say)}${cost}`;
    item.accessibilityInformation = { label: `${member.displayName}, ${memberLine(member, this.say)}` };
    item.command = { command: "muster.showMember", title: vscode.l10n.t("Show Conversation"), arguments: [member] };
    if (this.content?.live) item.contextValue = runs(member) ? `${member.role}+runs` : member.role;
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changes.dispose();
  }
}
