import * as vscode from "vscode";
import type { MemberRow, TeamScreen } from "../../protocol/panel.ts";
import type { Say } from "../displayLanguage.ts";
import { lookOf, memberLine, runs, themeColor, tokenCount } from "./memberWords.ts";
import { type TreeRow, TreeRows } from "./treeRows.ts";

/** What the tree shows of a team; `live`: this window runs it. */
export interface TreeContent {
  state: TeamScreen;
  live: boolean;
}

/** The native tree *Members*: one row a member, and the badge with what waits for the person. */
export class TeamTree implements vscode.TreeDataProvider<TreeRow>, vscode.Disposable {
  private readonly say: Say;
  private readonly changes = new vscode.EventEmitter<TreeRow[] | undefined>();
  private readonly view: vscode.TreeView<TreeRow>;
  private readonly rows = new TreeRows();
  private content: TreeContent | null = null;
  readonly onDidChangeTreeData = this.changes.event;

  constructor(say: Say) {
    this.say = say;
    this.view = vscode.window.createTreeView("muster.members", { treeDataProvider: this });
  }

  /** Shows what changed. `waiting`: requests, and a lead that waits for an answer; 0 takes the badge away. */
  update(content: TreeContent | null, waiting: number): void {
    this.content = content;
    const members = content?.state.members ?? [];
    const changed = this.rows.update(
      members.map((member) => ({ name: member.name, shown: JSON.stringify([content?.live, member]) })),
    );
    if (changed === "all") this.changes.fire(undefined);
    else if (changed.length > 0) this.changes.fire(changed);
    this.view.message = content?.state.paused ? vscode.l10n.t("Paused") : "";
    const tooltip =
      waiting === 1 ? vscode.l10n.t("1 thing waits for you") : vscode.l10n.t("{0} things wait for you", waiting);
    if ((this.view.badge?.value ?? 0) !== waiting)
      this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
  }

  getChildren(parent?: TreeRow): TreeRow[] {
    return parent ? [] : this.rows.all;
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    const member = this.content?.state.members.find(({ name }) => name === row.name);
    return member ? this.itemOf(row, member) : new vscode.TreeItem(row.name); // gone since VS Code asked for the rows
  }

  private itemOf(row: TreeRow, member: MemberRow): vscode.TreeItem {
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
    item.command = { command: "muster.showMember", title: vscode.l10n.t("Show Conversation"), arguments: [row] };
    if (this.content?.live) item.contextValue = runs(member) ? `${member.role}+runs` : member.role;
    return item;
  }

  dispose(): void {
    this.view.dispose();
    this.changes.dispose();
  }
}
