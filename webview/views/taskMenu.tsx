import type { MemberRow, TaskRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Who } from "../ui/who.tsx";

/** Which menu of a task is open. */
export type OpenMenu = "actions" | "assign" | null;

interface TaskMenuProps {
  task: TaskRow;
  anchor: () => HTMLElement | null;
  open: OpenMenu;
  /** Opens another menu, or none. */
  onOpen: (menu: OpenMenu) => void;
  onEdit: () => void;
}

/** What can be done with a task, and whom it can be given to. */
export function TaskMenu({ task, anchor, open, onOpen, onEdit }: TaskMenuProps) {
  const { work } = useModel();
  if (open === null) return null;
  if (open === "assign") return <AssignMenu task={task} anchor={anchor} onClose={() => onOpen(null)} />;
  return (
    <Menu label={t("taskActions", task.id)} anchor={anchor} onClose={() => onOpen(null)}>
      <MenuItem onChoose={() => onOpen("assign")}>{t("assignTask")}</MenuItem>
      <MenuItem onChoose={onEdit}>{t("editTask")}</MenuItem>
      <MenuItem onChoose={() => work.ask(task.id, (intent) => ({ type: "deleteTask", intent, task: task.id }))}>
        {t("deleteTask")}
      </MenuItem>
    </Menu>
  );
}

function AssignMenu({ task, anchor, onClose }: Pick<TaskMenuProps, "task" | "anchor"> & { onClose: () => void }) {
  const { work, announcer, data } = useModel();
  const state = data.panel.value;
  const members = state.screen === "team" ? state.members.filter((row) => canOwn(row, task)) : [];
  const assign = (owner: MemberRow | null) =>
    work.ask(
      task.id,
      (intent) => ({ type: "assignTask", intent, task: task.id, owner: owner?.name ?? null }),
      () => announcer.say(t("taskAssigned", task.id, owner ? nameOf(owner) : t("nobody"))),
    );
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

/** A member that has ended takes no task. */
function canOwn(row: MemberRow, task: TaskRow): boolean {
  return row.name !== task.owner?.name && row.state !== "dead" && row.state !== "stopping";
}
