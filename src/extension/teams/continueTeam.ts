import * as vscode from "vscode";
import { isMusterError, MusterError } from "../../base/errors.ts";
import { nodePathFs } from "../../store/pathFs.ts";
import { isInFolders } from "../folderPaths.ts";
import { noticeText } from "../notices/noticeText.ts";
import { openFolders } from "../openFolders.ts";
import { logSettings, tellOfSettings } from "../requests/tellOfSettings.ts";
import type { Services } from "../services.ts";
import { requireTrust } from "../trust.ts";
import { endTeam, mayEndTeam } from "./endTeam.ts";
import { knownRoots } from "./knownRoots.ts";
import type { RememberedTeam } from "./rememberedTeam.ts";
import { runInstead } from "./runInstead.ts";
import { isSameTeam, TEAM_VIEW, type TeamAddress } from "./shownTeam.ts";
import { startPorts } from "./startPorts.ts";
import type { ReadyTeam } from "./startTeam.ts";
import { pickTeam } from "./teamPicker.ts";
import { discardTeam } from "./teams.ts";

/** A window that was closed for longer does not go on by itself: that is for the person to say. In ms. */
const SOON_MS = 10 * 60_000;

/**
 * Goes on with the team that this window ran until it was reloaded, or its extension host died; a host that outlived its
 * window gives it up. Resolves to false where the team stays as it is: it stood still for long, the person ended it or
 * shows another one, its folder is not open here, or another window leads it.
 */
export async function continueSoon(services: Services, known: RememberedTeam): Promise<boolean> {
  const { log } = services;
  const { address } = known;
  const { isLeftSoon } = await import("./storedTeams.ts");
  try {
    if (address.kind === "team") {
      const { workplaceOf } = await import("./startTeam.ts");
      await requireOpenHere(await workplaceOf(address, log)); // before anybody is asked to give it up
    }
    if (!(await isLeftSoon(known, SOON_MS, log))) return false;
    if (services.teams.live || (services.teams.current && !isSameTeam(services.teams.current.address, address)))
      return false;
    logSettings(services, await goOn(services, address, { known })); // nobody did anything that a notice would answer
    return true;
  } catch (error) {
    if (!isMusterError(error)) throw error;
    log.warn(`The team ${address.folder} does not go on: ${error.message}`);
    return false;
  }
}

/**
 * *Attach to a Running Team…*: takes a team over from the window or program that leads it, which stops after its turn.
 * Throws `lead_elsewhere` where it does not let go, and `not_ready` where the team's folder is not open here; then it goes
 * on where it ran, and so does this window's own team.
 */
export async function attachTeam(services: Services): Promise<void> {
  requireTrust();
  const { listKnownTeams, askToHandOver } = await import("./storedTeams.ts");
  const roots = knownRoots(services.settings().stateRoot, services.state);
  const { choices, faults } = await listKnownTeams(roots, services.log);
  const own = services.teams.live?.address ?? null;
  const elsewhere = choices.filter(({ live, address }) => live && !isSameTeam(own, address));
  const sentence = vscode.l10n.t("No team runs elsewhere in {0}.", roots.join(", "));
  if (elsewhere.length === 0 && faults.length === 0) {
    void vscode.window.showInformationMessage(noticeText(sentence));
    return;
  }
  const title = vscode.l10n.t("Attach to a Running Team");
  const placeHolder = vscode.l10n.t("Its lead goes on in this window; where it runs now, it stops after its turn");
  const picked = await pickTeam(services, { choices: elsewhere, faults }, { title, placeHolder, none: sentence });
  if (!picked) return;
  const { workplaceOf } = await import("./startTeam.ts");
  await requireOpenHere(await workplaceOf(picked.address, services.log)); // before anybody stops for it
  if (!(await mayEndTeam(services))) return;
  const asked = askToHandOver(picked.address, services.log);
  const free = await vscode.window.withProgress({ location: { viewId: TEAM_VIEW } }, () => asked);
  if (!free) throw new MusterError("lead_elsewhere", `${picked.title} was not given up: end it where it runs.`);
  // a window that ran it before it was reloaded may have gone on with it by itself meanwhile
  const isHere = () => isSameTeam(services.teams.live?.address ?? null, picked.address);
  const makeRoom = async () => {
    if (!isHere()) await endTeam(services);
  };
  try {
    if (!isHere()) tellOfSettings(services, await goOn(services, picked.address, { makeRoom }));
  } catch (error) {
    if (!isHere()) throw error;
  }
  await services.panel.open({ preserveFocus: true });
}

/** Goes on with the team on show, which nobody runs. Throws `not_ready` with a sentence where it cannot. */
export async function continueTeam(services: Services): Promise<void> {
  const { current } = services.teams;
  requireTrust();
  if (!current?.address || current.session || current.address.kind !== "team")
    throw new MusterError("not_ready", "There is no team on show that could go on.");
  tellOfSettings(services, await goOn(services, current.address));
}

interface GoingOn {
  /** What the window knows of the team beside its files. */
  known?: Pick<RememberedTeam, "goal" | "cwd" | "scripted">;
  /** Ends the team that runs in this window; absent: none does. */
  makeRoom?(): Promise<void>;
}

async function goOn(services: Services, address: TeamAddress, { known, makeRoom }: GoingOn = {}): Promise<ReadyTeam> {
  const { log, teams } = services;
  const { prepareResumedTeam } = await import("./startTeam.ts");
  const prepare = async () => {
    const ready = await prepareResumedTeam(address, known ?? NOTHING_KNOWN, startPorts(services));
    try {
      await requireOpenHere({ project: ready.project, scripted: ready.team.state().scripted });
    } catch (error) {
      await discardTeam(ready);
      throw error;
    }
    log.info(`The team ${address.folder} goes on in ${ready.project}.`);
    return ready;
  };
  return runInstead(teams, prepare, makeRoom ?? (async () => {}));
}

const NOTHING_KNOWN = { goal: null, cwd: null, scripted: false };

/**
 * A team may go on only where the person has opened its folder, and so has said whether it is trusted; the demo team has a
 * folder of its own. `project`: without links; those of the open folders are followed. Throws `not_ready`.
 */
async function requireOpenHere({ project, scripted }: { project: string; scripted: boolean }): Promise<void> {
  if (scripted || (await isInFolders(project, openFolders(), nodePathFs))) return;
  throw new MusterError("not_ready", `This team works in ${project}: open that folder, then go on with it.`);
}
