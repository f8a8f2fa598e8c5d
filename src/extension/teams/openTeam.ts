import * as vscode from "vscode";
import { releasedOnFailure } from "../../base/disposable.ts";
import type { Services } from "../services.ts";
import { endTeam, mayEndTeam } from "./endTeam.ts";
import { knownRoots } from "./knownRoots.ts";
import { onlyAddress } from "./rememberedTeam.ts";
import { isSameTeam } from "./shownTeam.ts";
import type { KnownTeams } from "./storedTeams.ts";
import { pickTeam } from "./teamPicker.ts";

/** Lets the person pick a team on disk, running or finished, of any known state root, and shows it to be read. */
export async function openTeam(services: Services): Promise<void> {
  const { stateRoot } = services.settings();
  const roots = knownRoots(stateRoot, services.state);
  const title = vscode.l10n.t("Open Team");
  const placeHolder = vscode.l10n.t("Which team?");
  const none = vscode.l10n.t("There is no team in {0}", roots.join(", "));
  const picked = await pickTeam(services, listOthers(services, roots), { title, placeHolder, none });
  if (!picked || !(await mayEndTeam(services))) return;
  const { openStoredTeam } = await import("./storedTeams.ts");
  const { models } = services.settings();
  const team = await openStoredTeam(onlyAddress(picked.address), { models, log: services.log });
  await releasedOnFailure(team, async () => {
    await endTeam(services); // not before the other can be read
    services.teams.show(team);
  });
  await services.panel.open({ preserveFocus: true });
}

/** The teams of these state roots but the window's own. */
async function listOthers(services: Services, roots: readonly string[]): Promise<KnownTeams> {
  const { listKnownTeams } = await import("./storedTeams.ts");
  const { choices, faults } = await listKnownTeams(roots, services.log);
  const own = services.teams.live?.address ?? null;
  return { choices: choices.filter(({ address }) => !isSameTeam(own, address)), faults };
}
