import * as vscode from "vscode";
import { isMusterError } from "../base/errors.ts";
import { onlyAddress, type RememberedTeam, rememberedTeamSchema } from "./rememberedTeam.ts";
import type { Services } from "./services.ts";
import type { TeamScreen } from "./shownTeam.ts";

const KEY = "muster.shown";

/** Notes which team is on show, for the time after a reload. */
export function rememberTeam({ teams, state: memento }: Services, screen: TeamScreen | null): void {
  const address = teams.current?.address;
  if (!address || !screen) return;
  const cwd = teams.live?.session.cwd ?? null;
  const before = rememberedTeamSchema.safeParse(memento.get(KEY)).data;
  const next: RememberedTeam = {
    address,
    result: screen.finished?.result ?? null,
    scripted: screen.scripted,
    goal: screen.goal,
    title: screen.title,
    cwd: cwd ?? (before?.title === screen.title ? before.cwd : null),
  };
  if (JSON.stringify(before) !== JSON.stringify(next)) void memento.update(KEY, next);
}

/**
 * Looks for a team to show when the window opens: the one that was shown before, else one that somebody runs in this
 * folder. Loads nothing heavy where there is none.
 */
export async function restoreTeam(services: Services): Promise<void> {
  const before = rememberedTeamSchema.safeParse(services.state.get(KEY)).data;
  const known = before ?? (await findHere(services));
  if (!known || services.teams.current) return;
  try {
    const { openStoredTeam } = await import("./storedTeams.ts");
    const team = await openStoredTeam(known, { models: services.settings().models, log: services.log });
    if (services.teams.current) team.dispose();
    else services.teams.show(team);
  } catch (error) {
    if (!isMusterError(error)) throw error;
    services.log.info(`The team ${known.title} is not shown again: ${error.message}`);
    await services.state.update(KEY, undefined);
  }
}

async function findHere({ settings, log }: Services): Promise<RememberedTeam | null> {
  const root = settings().stateRoot;
  if (!(await hasTeams(root))) return null;
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  const { findLiveTeam } = await import("./storedTeams.ts");
  const address = await findLiveTeam(root, folders, log);
  return address && onlyAddress(address);
}

async function hasTeams(root: string): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(vscode.Uri.file(root), "teams"))).length > 0;
  } catch {
    return false; // no state root yet
  }
}
