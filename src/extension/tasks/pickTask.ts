import * as vscode from "vscode";
import { MusterError } from "../../base/errors.ts";
import type { DeletedTaskRow, TaskRow } from "../../protocol/panel.ts";
import type { TeamSession } from "../../team/types.ts";
import { lookOf, memberLine } from "../members/memberWords.ts";
import { rowText } from "../notices/noticeText.ts";
import { sayState } from "../panel/sayPanel.ts";
import { deletedTasks } from "../panel/taskIntents.ts";
import type { Services } from "../services.ts";
import { createTask } from "./createTask.ts";
import { editTask } from "./editTask.ts";
import { type GroupedTasks, groupedTasks, possibleOwners } from "./taskChoices.ts";

type Item = vscode.QuickPickItem & { choose?: () => unknown };

/** For how long it stands in the status bar what was done, in ms. */
const TOLD_MS = 5_000;

/**
 * *Tasks…*: a task of the team on show, then what to do with it: all that its menu in the panel offers. Where this window
 * does not run the team, a task can only be shown.
 */
export async function pickTask(services: Services): Promise<void> {
  const { current, live } = services.teams;
  if (!current) throw new MusterError("not_ready", "There is no team on show: open or start one.");
  const session = live?.session ?? null;
  const groups = groupedTasks(current.tasks()).flatMap(({ group, tasks }) => [
    separator(groupWord(group)),
    ...tasks.map((task) => taskItem(task, group, () => actOn(services, session, task))),
  ]);
  const deleted = await deletedTasks(session);
  const picked = await vscode.window.showQuickPick<Item>(
    [
      ...(session ? [createItem(services)] : []),
      ...groups,
      ...(deleted.length > 0 ? [separator(vscode.l10n.t("Deleted: bring back"))] : []),
      ...deleted.map((task) => deletedItem(task, () => bringBack(services, session, task))),
    ],
    {
      title: vscode.l10n.t("Tasks"),
      placeHolder: groups.length > 0 ? vscode.l10n.t("Which task?") : vscode.l10n.t("There are no tasks yet."),
      matchOnDescription: true,
    },
  );
  await picked?.choose?.();
}

function createItem(services: Services): Item {
  return {
    label: vscode.l10n.t("Create Task…"),
    iconPath: new vscode.ThemeIcon("add"),
    choose: () => createTask(services),
  };
}

function taskItem(task: TaskRow, group: GroupedTasks["group"], choose: () => unknown): Item {
  const blockers = task.openBlockers.map((id) => `#${id}`).join(", ");
  const description = group === "blocked" ? vscode.l10n.t("after {0}", blockers) : (task.owner?.displayName ?? "");
  const iconPath = new vscode.ThemeIcon(GROUP_ICONS[group]);
  return { label: rowText(nameOf(task)), iconPath, description: rowText(description), choose };
}

function deletedItem(task: DeletedTaskRow, choose: () => unknown): Item {
  return { label: rowText(nameOf(task)), iconPath: new vscode.ThemeIcon("discard"), choose };
}

async function actOn(services: Services, session: TeamSession | null, task: TaskRow): Promise<void> {
  const show = () => services.panel.reveal({ kind: "task", id: task.id });
  if (!session) return show();
  const item = (icon: string, label: string, choose: () => unknown): Item => ({
    ...{ label, iconPath: new vscode.ThemeIcon(icon), choose },
  });
  const picked = await vscode.window.showQuickPick<Item>(
    [
      item("go-to-file", vscode.l10n.t("Show the task"), show),
      item("account", vscode.l10n.t("Assign…"), () => assign(services, session, task)),
      item("edit", vscode.l10n.t("Edit…"), () => editTask(session, task)),
      item("trash", vscode.l10n.t("Delete"), () => remove(session, task)),
    ],
    { title: nameOf(task), placeHolder: vscode.l10n.t("What is to be done with it?") },
  );
  await picked?.choose?.();
}

async function assign(services: Services, session: TeamSession, task: TaskRow): Promise<void> {
  const { current } = services.teams;
  if (!current) return; // it ended while the pick was open
  const members = possibleOwners(sayState(current.state(), services.say).members, task).map((member) => ({
    label: rowText(member.displayName),
    iconPath: new vscode.ThemeIcon(lookOf(member).icon),
    description: rowText(memberLine(member, services.say)),
    owner: member.name as string | null,
    whose: member.displayName,
  }));
  const nobody = vscode.l10n.t("Nobody");
  const none = { label: nobody, iconPath: new vscode.ThemeIcon("blank"), description: "", owner: null, whose: nobody };
  const picked = await vscode.window.showQuickPick(task.owner ? [...members, none] : members, {
    title: vscode.l10n.t("Assign task #{0} to", task.id),
    placeHolder: vscode.l10n.t("Which member?"),
  });
  if (!picked) return;
  await session.tasks.assign(task.id, picked.owner);
  tell(vscode.l10n.t("Task #{0}: {1}.", task.id, picked.whose));
}

async function remove(session: TeamSession, { id }: TaskRow): Promise<void> {
  await session.tasks.remove(id);
  tell(vscode.l10n.t("Task #{0} is deleted. Agent Teams: Tasks… brings it back.", id));
}

async function bringBack(services: Services, session: TeamSession | null, { id }: DeletedTaskRow): Promise<void> {
  await session?.tasks.restore(id);
  await services.panel.reveal({ kind: "task", id });
}

const GROUP_ICONS: Readonly<Record<GroupedTasks["group"], string>> = {
  in_progress: "record",
  ready: "circle-large",
  blocked: "lock",
  done: "pass",
};

function groupWord(group: GroupedTasks["group"]): string {
  const words: Record<typeof group, string> = {
    in_progress: vscode.l10n.t("In progress"),
    ready: vscode.l10n.t("Ready"),
    blocked: vscode.l10n.t("Blocked"),
    done: vscode.l10n.t("Done"),
  };
  return words[group];
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function nameOf({ id, subject }: DeletedTaskRow): string {
  return `#${id} ${subject}`;
}

function tell(sentence: string): void {
  vscode.window.setStatusBarMessage(sentence, TOLD_MS);
}
