import * as vscode from "vscode";
import { endTeam, mayEndTeam } from "./endTeam.ts";
import { onlyAddress } from "./rememberedTeam.ts";
import type { Services } from "./services.ts";
import type { TeamChoice } from "./storedTeams.ts";

type Item = vscode.QuickPickItem & { choice?: TeamChoice };

/** Lets the person pick a team on disk, running or finished, and shows it to be read. */
export async function openTeam(services: Services): Promise<void> {
  const { listTeams, openStoredTeam } = await import("./storedTeams.ts");
  const { stateRoot, models } = services.settings();
  const roots = new Set([stateRoot, services.teams.current?.address?.root ?? stateRoot]);
  const choices = (await Promise.all([...roots].map((root) => listTeams(root, services.log)))).flat();
  const own = services.teams.live?.address;
  const items = pickItems(choices.filter(({ address }) => address.folder !== own?.folder || address.root !== own.root));
  const placeHolder =
    items.length === 0 ? vscode.l10n.t("There is no team in {0}", stateRoot) : vscode.l10n.t("Which team?");
  const picked = await vscode.window.showQuickPick<Item>(items, {
    title: vscode.l10n.t("Open Team"),
    placeHolder,
    matchOnDescription: true,
  });
  if (!picked?.choice) return;
  if (!(await mayEndTeam(services))) return;
  await endTeam(services);
  services.teams.show(await openStoredTeam(onlyAddress(picked.choice.address), { models, log: services.log }));
  await services.panel.open({ preserveFocus: true });
}

function pickItems(choices: readonly TeamChoice[]): Item[] {
  const groups: [string, TeamChoice[]][] = [
    [vscode.l10n.t("Running"), choices.filter(({ live }) => live)],
    [vscode.l10n.t("Not running"), choices.filter(({ live, address }) => !live && address.kind === "team")],
    [vscode.l10n.t("Finished"), choices.filter(({ address }) => address.kind === "finished")],
  ];
  return groups.flatMap(([label, group]) =>
    group.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...group.map(pickItem)],
  );
}

function pickItem(choice: TeamChoice): Item {
  const { title, members, at, address } = choice;
  const when = at > 0 ? new Date(at).toLocaleString(vscode.env.language) : "";
  const size =
    members === null ? "" : members === 1 ? vscode.l10n.t("1 member") : vscode.l10n.t("{0} members", members);
  return { label: title, description: [size, when].filter(Boolean).join(" · "), detail: address.folder, choice };
}
