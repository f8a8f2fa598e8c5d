import * as vscode from "vscode";
import { homeFolder } from "../../team/homeFolder.ts";
import { rowText } from "../notices/noticeText.ts";
import type { Services } from "../services.ts";
import type { KnownTeams, TeamChoice } from "./storedTeams.ts";
import { type ChoiceGroup, groupChoices, placeOf } from "./teamChoices.ts";

type Item = vscode.QuickPickItem & { choice?: TeamChoice; root?: string };

/**
 * Lets the person choose one of these teams; undefined where none is chosen. The pick is there at once, and fills when the
 * teams are known; `none` is its only row where there is none. A state root that cannot be read is a row, which opens the
 * log.
 */
export async function pickTeam(
  { channel, say }: Services,
  known: KnownTeams | Promise<KnownTeams>,
  { none, ...texts }: { title: string; placeHolder: string; none: string },
): Promise<TeamChoice | undefined> {
  const items = Promise.resolve(known).then((found) => pickItems(found, { none, say }));
  const options = { ...texts, matchOnDescription: true, matchOnDetail: true };
  const picked = await vscode.window.showQuickPick<Item>(items, options);
  if (picked?.root) channel.show();
  return picked?.choice;
}

function pickItems({ choices, faults }: KnownTeams, { none, say }: { none: string } & Pick<Services, "say">): Item[] {
  const items = groupChoices(choices).flatMap(({ group, choices: grouped }) => [
    separator(groupTitle(group)),
    ...grouped.map((choice) => pickItem(choice, choices)),
  ]);
  const unreadable = faults.map(({ root, why }): Item => ({ label: root, iconPath: WARNING, detail: say(why), root }));
  if (unreadable.length > 0) items.push(separator(vscode.l10n.t("Cannot be read")), ...unreadable);
  return items.length > 0 ? items : [{ label: none }];
}

const WARNING = new vscode.ThemeIcon("warning");

function groupTitle(group: ChoiceGroup): string {
  switch (group) {
    case "running":
      return vscode.l10n.t("Running");
    case "foreign":
      return vscode.l10n.t("Of another program");
    case "resting":
      return vscode.l10n.t("Not running");
    case "finished":
      return vscode.l10n.t("Finished");
  }
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function pickItem(choice: TeamChoice, all: readonly TeamChoice[]): Item {
  const { title, members, at } = choice;
  const when = at > 0 ? new Date(at).toLocaleString(vscode.env.language) : "";
  const size =
    members === null ? "" : members === 1 ? vscode.l10n.t("1 member") : vscode.l10n.t("{0} members", members);
  const description = [size, when].filter(Boolean).join(" · ");
  return { label: rowText(title), description, detail: rowText(placeOf(choice, all, homeFolder())), choice };
}
