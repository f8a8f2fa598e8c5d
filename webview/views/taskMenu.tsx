import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { MemberRow, TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Who } from "../ui/who.tsx";
import { assignTask, canOwn } from "./assignTask.ts";
import { openEditTask } from "./taskForm.tsx";

/** The menus of a task. */
type TaskMenuKind = "actions" | "assign";

/** Opens a menu of a task. */
export type OpenTaskMenu = (task: string, kind: TaskMenuKind) => void;

/**
 * The menu that is open of one of these tasks, and what opens it. It is not part of a row: a row is drawn anew where the
 * task comes to another group, and the menu stays.
 */
export function useTaskMenu(tasks: readonly TaskRow[]): [ComponentChildren, OpenTaskMenu] {
  const [open, setOpen] = useState<{ id: string; kind: TaskMenuKind } | null>(null);
  const openMenu = useCallback<OpenTaskMenu>((id, kind) => setOpen({ id, kind }), []);
  const close = useCallback((id: string) => setOpen((now) => (now?.id === id ? null : now)), []);
  const task = tasks.find(({ id }) => id === open?.id);
  const isGone = open !== null && !task;
  useEffect(() => {
    if (isGone) setOpen(null); // it must not open by itself where the task comes back
  }, [isGone]);
  const menu = open && task && (
    <TaskMenu key={task.id} task={task} kind={open.kind} onOpen={openMenu} onClose={() => close(task.id)} />
  );
  return [menu, openMenu];
}

interface TaskMenuProps {
  task: TaskRow;
  kind: TaskMenuKind;
  onOpen: OpenTaskMenu;
  onClose: () => void;
}

/** What can be done with a task, or whom it can be given to. */
function TaskMenu({ task, kind, onOpen, onClose }: TaskMenuProps) {
  const model = useModel();
  const { work } = model;
  const { id } = task;
  const anchor = useCallback(() => document.querySelector<HTMLElement>(`[data-task="${id}"] .task-row`), [id]);
  if (kind === "assign") return <AssignMenu task={task} anchor={anchor} onClose={onClose} />;
  return (
    <Menu label={t("taskActions", id)} anchor={anchor} onClose={onClose}>
      <MenuItem onChoose={() => onOpen(id, "assign")}>{t("assignTask")}</MenuItem>
      <MenuItem onChoose={() => openEditTask(model, task)}>{t("editTask")}</MenuItem>
      <MenuItem onChoose={() => work.ask(id, (intent) => ({ type: "deleteTask", intent, task: id }))}>
        {t("deleteTask")}
      </MenuItem>
    </Menu>
  );
}

interface AssignMenuProps {
  task: TaskRow;
  anchor: () => HTMLElement | null;
  onClose: () => void;
}

function AssignMenu({ task, anchor, onClose }: AssignMenuProps) {
  const model = useModel();
  const state = model.data.panel.value;
  const members = state.screen === "team" ? state.members.filter((row) => canOwn(row, task)) : [];
  const assign = (owner: MemberRow | null) => assignTask(model, task, owner);
  return (
    <Menu label={t("assignTo", task.id)} anchor={anchor} onClose={onClose}>
      {members.map((row) => (
        <MenuItem key={row.name} onChoose={() => assign(row)}>
          <Who member={row} />
        </MenuItem>
      ))}
      {task.owner && <MenuItem onChoose={() => assign(null)}>{t("nobody")}</MenuItem>}
    </Menu>
  );
}
