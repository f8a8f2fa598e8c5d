import { useEffect, useRef } from "preact/hooks";
import type { MemberRef, TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { showTask } from "../navigation.ts";
import { type Group, groupOf } from "../state/taskGroups.ts";
import { Icon, IconButton, type IconName } from "../ui/icon.tsx";
import { hasFocusIn } from "../ui/keepFocus.ts";
import { Markdown, MESSAGE } from "../ui/markdown.tsx";
import { Age, Who } from "../ui/who.tsx";
import { useTaskDrag } from "./assignTask.ts";
import { EditTask, editKey, openEditTask, TaskError } from "./taskForm.tsx";
import type { OpenTaskMenu } from "./taskMenu.tsx";

/** Where a task stands, as an icon. */
export const TASK_ICONS: Record<Group, IconName> = {
  in_progress: "record",
  ready: "circle-large",
  blocked: "lock",
  done: "pass",
};

interface RowProps {
  task: TaskRow;
  group: Group;
  /** Tasks that wait for this one. */
  holdsBack: readonly string[];
  /** The team is this window's own, and goes on. */
  canChange: boolean;
  /** Opens a menu of a task; see `useTaskMenu`. */
  onMenu: OpenTaskMenu;
}

/** One task: a line, and below it what there is to know and to do when it is open. */
export function Task({ task, group, holdsBack, canChange, onMenu }: RowProps) {
  const model = useModel();
  const { view } = model;
  const row = useRef<HTMLButtonElement>(null);
  const key = `task:${task.id}`;
  const open = view.expansion.isOpen(key);
  const drag = useTaskDrag(task, canChange);
  const assign = () => onMenu(task.id, "assign");
  const openMenu = (event: Event) => {
    if (!canChange || (event.target instanceof Element && event.target.closest(".task-detail"))) return;
    event.preventDefault();
    onMenu(task.id, "actions");
  };
  return (
    <li class={`task task-${group}`} data-task={task.id} onContextMenu={openMenu}>
      <div class="task-line" {...drag}>
        <button
          ref={row}
          type="button"
          class="task-row"
          aria-expanded={open}
          tabIndex={-1}
          onClick={() => view.expansion.set(key, !open)}
          onKeyDown={(event) => {
            if (event.key === "F10" && event.shiftKey) openMenu(event);
          }}
        >
          <Icon name={TASK_ICONS[group]} label={t(`group.${group}`)} />
          <span class="meta task-number">{task.id}</span>
          <span class="task-subject" title={task.subject}>
            {task.subject}
          </span>
          <End task={task} group={group} canChange={canChange} />
        </button>
        {canChange && isFree(task, group) && (
          <button type="button" class="task-assign" title={t("assignTo", task.id)} onClick={assign}>
            {t("noOwner")}
          </button>
        )}
        {canChange && (
          <IconButton
            icon="ellipsis"
            label={t("taskActions", task.id)}
            class="task-menu"
            mouseOnly
            onClick={() => onMenu(task.id, "actions")}
          />
        )}
      </div>
      <TaskError row={task.id} />
      {open && (
        <Detail
          task={task}
          holdsBack={holdsBack}
          canChange={canChange}
          editing={canChange && view.expansion.isOpen(editKey(task.id))}
          onEdit={() => openEditTask(model, task)}
          onClose={() => {
            const leads = hasFocusIn(row.current?.closest("[data-task]"));
            view.expansion.set(editKey(task.id), false);
            if (leads) row.current?.focus();
          }}
          onAssign={assign}
        />
      )}
    </li>
  );
}

function isFree(task: TaskRow, group: Group): boolean {
  return task.owner === null && group === "ready";
}

function End({ task, group, canChange }: Pick<RowProps, "task" | "group" | "canChange">) {
  if (group === "blocked")
    return <span class="task-end">{t("after", task.openBlockers.map((id) => `#${id}`).join(", "))}</span>;
  if (task.owner)
    return (
      <>
        <Who member={task.owner} class="task-owner" />
        {task.since !== null && <Age since={task.since} class="task-age" />}
      </>
    );
  return canChange && isFree(task, group) ? null : <span class="task-end">{t("noOwner")}</span>;
}

interface DetailProps extends Pick<RowProps, "task" | "holdsBack" | "canChange"> {
  editing: boolean;
  onEdit: () => void;
  /** The form is closed. */
  onClose: () => void;
  onAssign: () => void;
}

function Detail({ task, holdsBack, canChange, editing, onEdit, onClose, onAssign }: DetailProps) {
  const { work, post } = useModel();
  const { id, description } = task;
  const isThere = description !== null;
  useEffect(() => post({ type: "openTask", task: id }), [post, id, isThere]); // again where the host has begun anew
  const known = useRef(description);
  if (isThere || !editing) known.current = description;
  if (editing && known.current !== null)
    return (
      <div class="task-detail">
        <EditTask task={task} description={known.current} onClose={onClose} />
      </div>
    );
  return (
    <div class="task-detail">
      <p class="task-title">{task.subject}</p>
      {description === "" && <p class="quiet">{t("noDescription")}</p>}
      {description !== null && description !== "" && <Markdown text={description} style={MESSAGE} />}
      <Links label={t("waitsFor")} ids={task.openBlockers} />
      <Links label={t("holdsBack")} ids={holdsBack} />
      {task.owner && <Owner owner={task.owner} />}
      {canChange && (
        <div class="task-actions">
          <button type="button" class="btn btn-plain btn-small" onClick={onAssign}>
            {t("assignTask")}
          </button>
          <button type="button" class="btn btn-plain btn-small" onClick={onEdit}>
            {t("editTask")}
          </button>
          <button
            type="button"
            class="btn btn-ghost btn-small"
            onClick={() => work.ask(task.id, (intent) => ({ type: "deleteTask", intent, task: task.id }))}
          >
            {t("deleteTask")}
          </button>
        </div>
      )}
    </div>
  );
}

/** Other tasks, each a way to its row; one that cannot be read has none. */
function Links({ label, ids }: { label: string; ids: readonly string[] }) {
  const model = useModel();
  const tasks = model.data.tasks.value ?? [];
  if (ids.length === 0) return null;
  const shown = ids.map((id) => tasks.find((task) => task.id === id) ?? id);
  return (
    <div class="task-links">
      <span class="quiet">{label}</span>
      <ul>
        {shown.map((task) =>
          typeof task === "string" ? (
            <li key={task}>{`#${task}`}</li>
          ) : (
            <li key={task.id}>
              <button type="button" class="link" onClick={() => showTask(model, task.id)}>
                <Icon name={TASK_ICONS[groupOf(task)]} label={t(`group.${groupOf(task)}`)} class="task-link-icon" />
                {`#${task.id} ${task.subject}`}
              </button>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

/** Whose task it is, and the way to their terminal. */
function Owner({ owner }: { owner: MemberRef }) {
  const { data, post } = useModel();
  const panel = data.panel.value;
  const runs = panel.screen === "team" && panel.readOnly === null && panel.finished === null;
  const isHere = runs && panel.members.some(({ name, role }) => name === owner.name && role === "teammate");
  return (
    <p class="task-who">
      <Who member={owner} />
      {isHere && (
        <IconButton
          icon="terminal"
          label={t("openTerminal")}
          onClick={() => post({ type: "openTerminal", member: owner.name })}
        />
      )}
    </p>
  );
}
