import * as vscode from "vscode";
import type { TaskRow } from "../../protocol/panel.ts";
import type { TeamSession } from "../../team/types.ts";
import { fitsOneLine } from "./taskChoices.ts";

/**
 * Has the person change what is to be done, then the description where a field of one line holds all of it. Nothing
 * changes where one of the two is left.
 */
export async function editTask(session: TeamSession, task: TaskRow): Promise<void> {
  const title = `#${task.id} ${task.subject}`;
  const description = fitsOneLine(task.description ?? "\n") ? task.description : null;
  const whatIsToBeDone = vscode.l10n.t("What is to be done");
  const stays = vscode.l10n.t(
    "What is to be done. The description is too long for this field: change it in the panel.",
  );
  const subject = await vscode.window.showInputBox({
    title,
    prompt: description === null ? stays : whatIsToBeDone,
    value: task.subject,
    validateInput: (text) => (text.trim() === "" ? whatIsToBeDone : null),
    ignoreFocusOut: true,
  });
  if (subject === undefined) return;
  const changed = description === null ? null : await askDescription(title, description);
  if (changed === undefined) return;
  const change = {
    ...(subject.trim() === task.subject.trim() ? {} : { subject: subject.trim() }),
    ...(changed === null || changed === description?.trim() ? {} : { description: changed }),
  };
  if (Object.keys(change).length > 0) await session.tasks.edit(task.id, change);
}

async function askDescription(title: string, value: string): Promise<string | undefined> {
  const prompt = vscode.l10n.t("Description, optional: where, and how it is checked");
  const text = await vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true });
  return text?.trim();
}
