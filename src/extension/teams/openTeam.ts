import * as vscode from "vscode";
import { releasedOnFailure } from "../../base/disposable.ts";
import type { Services } from "../services.ts";
import { endTeam, mayEndTeam } from "./endTeam.ts";
import { knownRoots } from "./knownRoots.ts";
import { onlyAddress } from "./rememberedTeam.ts";
import { isSameTeam } from "./shownTeam.ts";
import { pickTeam } from "./teamPicker.ts";

/** Lets the person pick a team on disk, running or finished, of any known state root, and shows it to be read. */
export async function openTeam(services: Services): Promise<void> {
  const { listKnownTeams, openStoredTeam } = await import("./storedTeams.ts");
  const { stateRoot, models } = services.settings();
  const roots = knownRoots(stateRoot, services.state);
  const { choices, faults } = await listKnownTeams(roots, services.log);
  const own = services.teams.live?.address ?? null;
  const others = choices.filter(({ address }) => !isSameTeam(own, address));
  const none = vscode.l10n.t("There is no team in {0}", roots.join(", "));
  const placeHolder = others.length === 0 ? none : vscode.l10n.t("Which team?");
  const title = vscode.l10n.t("Open Team");
  const picked = await pickTeam(services, { choices: others, faults }, { title, placeHolder });
  if (!picked || !(await mayEndTeam(services))) return;
  const team = await openStoredTeam(onlyAddress(picked.address), { models, log: services.log });
  await releasedOnFailure(team, async () => {
    await endTeam(services); // not before the other can be read
    services.teams.show(team);
  });
  await services.panel.open({ preserveFocus: true });
}
