import * as vscode from "vscode";
import { rowText } from "../notices/noticeText.ts";
import { sayState } from "../panel/sayPanel.ts";
import { askerOf } from "../requests/requestChoices.ts";
import type { Services } from "../services.ts";
import { openTerminal } from "./memberActions.ts";
import { lookOf, memberLine } from "./memberWords.ts";

type Item = vscode.QuickPickItem & { choose?: () => unknown };

/**
 * What the status bar opens: what waits, the members, the panel. A teammate of a team that runs here has its terminal opened,
 * anybody else its conversation.
 */
export async function pickFromTeam(services: Services): Promise<void> {
  const { teams, panel, say } = services;
  if (!teams.current) return panel.open({ preserveFocus: false });
  const state = sayState(teams.current.state(), say);
  const waiting: Item[] = state.attention.map((item) => ({
    label: rowText(item.title),
    iconPath: new vscode.ThemeIcon("bell-dot"),
    description: rowText(askerOf(item) ?? ""),
    choose: () => panel.reveal({ kind: "request", id: item.id }),
  }));
  const members: Item[] = state.members.map((member) => ({
    label: rowText(member.displayName),
    iconPath: new vscode.ThemeIcon(lookOf(member).icon),
    description: rowText(memberLine(member, say)),
    choose: () =>
      teams.live && member.role === "teammate"
        ? openTerminal(services, member.name, { preserveFocus: false })
        : panel.reveal({ kind: "member", name: member.name }),
  }));
  const show: Item = {
    label: vscode.l10n.t("Show the Team"),
    iconPath: new vscode.ThemeIcon("organization"),
    choose: () => panel.open({ preserveFocus: false }),
  };
  const items = [
    ...group(vscode.l10n.t("Waiting for you"), waiting),
    ...group(vscode.l10n.t("Members"), members),
    show,
  ];
  const picked = await vscode.window.showQuickPick(items, { title: state.title, matchOnDescription: true });
  await picked?.choose?.();
}

function group(label: string, items: readonly Item[]): Item[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
