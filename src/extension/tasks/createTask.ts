import * as vscode from "vscode";
import { askText } from "../askText.ts";
import type { Services } from "../services.ts";
import { requireLive } from "../teams/teams.ts";

/** *Create Task…*: a subject, then what there is to say about it. The panel shows the new task. */
export async function createTask(services: Services): Promise<void> {
  const { session } = requireLive(services.teams);
  const subject = await askText(vscode.l10n.t("Create Task"), vscode.l10n.t("What is to be done"));
  if (subject === undefined) return;
  const description = await vscode.window.showInputBox({
    title: vscode.l10n.t("Create Task: {0}", subject),
    prompt: vscode.l10n.t("Description, optional: where, and how it is checked"),
    ignoreFocusOut: true,
  });
  if (description === undefined) return;
  const task = await session.tasks.create({ subject, description: description.trim() });
  await services.panel.reveal({ kind: "task", id: task.id });
}
