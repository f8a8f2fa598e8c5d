import * as vscode from "vscode";
import { errorMessage } from "../../base/errors.ts";
import { acceptMemberName } from "../../protocol/names.ts";
import type { BackendType } from "../../protocol/team.ts";
import { askText } from "../askText.ts";
import type { Services } from "../services.ts";
import { requireLive } from "../teams/teams.ts";
import { pickMode } from "./memberModes.ts";

/** *Spawn a Teammate…*: its name, what it is told, its mode, and where it runs if there is a choice. */
export async function spawnTeammate(services: Services): Promise<void> {
  const { session } = requireLive(services.teams);
  const name = await askText(
    vscode.l10n.t("Spawn a Teammate"),
    vscode.l10n.t("Its name: a role, such as tests"),
    (text) => nameFault(services, text),
  );
  if (name === undefined) return;
  const what = vscode.l10n.t("Everything it has to know: its task, whom to talk to, what to report");
  const prompt = await askText(vscode.l10n.t("What {0} is told", name), what);
  if (prompt === undefined) return;
  const lead = session.members().find(({ isLead }) => isLead);
  const mode = await pickMode(name, lead?.mode, services.say);
  if (mode === undefined) return;
  const backend = session.backends.length > 1 ? await pickBackend(name, session.backends) : session.backends[0];
  if (backend === undefined) return;
  const spawned = await session.spawn({ name, prompt, mode, backend });
  await services.panel.reveal({ kind: "member", name: spawned });
}

function nameFault({ say }: Services, name: string): string | null {
  try {
    acceptMemberName(name);
    return null;
  } catch (error) {
    return say(errorMessage(error));
  }
}

async function pickBackend(name: string, backends: readonly BackendType[]): Promise<BackendType | undefined> {
  const places: Record<BackendType, string> = {
    "in-process": vscode.l10n.t("In this window"),
    terminal: vscode.l10n.t("As a process in a terminal"),
    tmux: vscode.l10n.t("As a process in a tmux pane"),
  };
  const items = backends.map((backend) => ({ label: places[backend], backend }));
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Where {0} runs", name) });
  return picked?.backend;
}
