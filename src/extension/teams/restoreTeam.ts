import * as vscode from "vscode";
import { isMusterError } from "../../base/errors.ts";
import type { TeamScreen } from "../../protocol/panel.ts";
import { openFolders } from "../openFolders.ts";
import type { Services } from "../services.ts";
import { continueSoon } from "./continueTeam.ts";
import { rememberRoot } from "./knownRoots.ts";
import { onlyAddress, type RememberedTeam, remembered, rememberedTeamSchema } from "./rememberedTeam.ts";
import { SHOWN_KEY } from "./shownTeam.ts";

/** Notes which team is on show, for the time after a reload. */
export async function rememberTeam(services: Services, screen: TeamScreen | null): Promise<void> {
  const { processes, state: memento } = services;
  const { current, live } = services.teams;
  const self = live ? await processes.self() : undefined;
  if (services.teams.current !== current) return; // another is on show, which is noted by itself
  const address = current?.address;
  const before = rememberedTeamSchema.safeParse(memento.get(SHOWN_KEY)).data;
  if (screen && !address && before?.address.kind === "lead") void memento.update(SHOWN_KEY, undefined); // it has ended
  if (!address || !screen) return;
  rememberRoot(memento, address.root);
  const next = remembered(before, { address, screen, ...(live && { cwd: live.session.cwd }), ...(self && { self }) });
  if (JSON.stringify(before) !== JSON.stringify(next)) void memento.update(SHOWN_KEY, next);
}

/** Shows the team that was shown before, else one that somebody runs in this folder; where there is none, nothing. */
export async function restoreTeam(services: Services): Promise<void> {
  const before = rememberedTeamSchema.safeParse(services.state.get(SHOWN_KEY)).data;
  const known = before ?? (await findHere(services));
  if (!known || services.teams.current) return;
  try {
    const goesOn = known.ran && known.result === null ? goOnAfterReload(services, known) : Promise.resolve(false);
    if ((await Promise.race([goesOn, later()])) === true) return;
    if (known.address.kind !== "lead") await showStored(services, known); // until then, or for good
    await goesOn;
  } catch (error) {
    if (!isMusterError(error)) throw error;
    services.log.info(`The team ${known.title} is not shown again: ${error.message}`);
    await services.state.update(SHOWN_KEY, undefined);
  }
}

/** A window before this one may take a while to go away: what it shows is shown meanwhile. In ms. */
const SOON_MS = 1_500;

function later(): Promise<"later"> {
  return new Promise((resolve) => setTimeout(() => resolve("later"), SOON_MS));
}

async function showStored({ teams, settings, log }: Services, known: RememberedTeam): Promise<void> {
  const { openStoredTeam } = await import("./storedTeams.ts");
  const team = await openStoredTeam(known, { models: settings().models, log });
  if (teams.current) team.dispose();
  else teams.show(team);
}

/** Whether the team that this window ran before it was reloaded runs again. */
async function goOnAfterReload(services: Services, known: RememberedTeam): Promise<boolean> {
  if (!vscode.workspace.isTrusted) return false;
  try {
    return await continueSoon(services, known);
  } catch (error) {
    services.log.error(`The team ${known.title} does not go on.`, error);
    return false;
  }
}

async function findHere({ settings, log }: Services): Promise<RememberedTeam | null> {
  const { findLiveTeam } = await import("./storedTeams.ts");
  const address = await findLiveTeam(settings().stateRoot, openFolders(), log);
  return address && onlyAddress(address);
}
