import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import type { Services } from "../services.ts";
import { onlyAddress } from "./rememberedTeam.ts";

/**
 * *Delete Team…*: takes away a team that nobody runs, such as one whose lead has crashed. Throws with a sentence, before
 * anything is asked, where it cannot: somebody runs it, another program made it, or it is gone. Then nothing has changed.
 */
export async function deleteTeam(services: Services): Promise<void> {
  const { teams, log, settings } = services;
  const shown = teams.current;
  if (teams.live) throw new MusterError("not_ready", "The team still runs here: shut it down first.");
  if (shown?.address?.kind !== "team") throw new MusterError("not_ready", "There is no team on show to delete.");
  const { title } = shown.state();
  const { keepHistory, models } = settings();
  const { deleteStoredTeam, openStoredTeam, requireUnrun } = await import("./storedTeams.ts");
  await requireUnrun(shown.address, log);
  if (!(await askToDelete(title, keepHistory))) return;
  const left = await deleteStoredTeam(shown.address, { keepHistory, log }); // it checks again: the answer may take long
  const history = left && (await openStoredTeam(onlyAddress(left), { models, log }));
  if (teams.current === shown) teams.show(history);
  else history?.dispose(); // the person went on to another team meanwhile
}

async function askToDelete(title: string, keepHistory: boolean): Promise<boolean> {
  const go = vscode.l10n.t("Delete Team");
  const detail = keepHistory
    ? vscode.l10n.t("What it did stays to be read under Open Team….")
    : vscode.l10n.t("Its tasks, messages and transcripts are gone for good.");
  const question = vscode.l10n.t("Delete {0}?", title);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, go)) === go;
}
