import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { goToTask } from "../navigation.ts";
import { showAlone } from "../state/shownAlone.ts";
import { fits, GROUPS, type Group, groupOf, opening } from "../state/taskGroups.ts";
import { Select, TextField } from "../ui/fields.tsx";
import { IconButton } from "../ui/icon.tsx";
import { hasFocusIn, useKeptFocus } from "../ui/keepFocus.ts";
import { useLimit } from "../ui/limit.ts";
import { moveFocus, useTabStop } from "../ui/roving.ts";
import { DeletedTasks } from "./deletedTasks.tsx";
import { useFindKey } from "./findBar.tsx";
import { NEW_TASK, NewTask, openNewTask } from "./taskForm.tsx";
import { TASK_ROWS, TaskGroupHead } from "./taskGroupHead.tsx";
import { type OpenTaskMenu, useTaskMenu } from "./taskMenu.tsx";
import { Task } from "./taskRow.tsx";

/** Rows of one group that are drawn before more are asked for. */
const STEP = 30;

/** Where the focus is when the form that had it is gone. */
const PLACES = [`:is(${TASK_ROWS})[tabindex="0"]`, "[role=tab][aria-selected=true]", ".bd-seg [aria-pressed=true]"];

/** The tasks, in groups of what can be done with them. */
export function Tasks({ readOnly }: { readOnly: boolean }) {
  const { data, view } = useModel();
  const list = useRef<HTMLFieldSetElement>(null);
  useTabStop(list, TASK_ROWS);
  const box = useCallback(() => list.current?.parentElement, []); // with the form for a new task
  useKeptFocus(box, "data-task", PLACES);
  const tasks = data.tasks.value;
  useWantedTask(tasks);
  const [menu, openMenu] = useTaskMenu(tasks ?? []);
  if (tasks === null) return null;
  const filter = { text: view.filter.value, owner: view.owner.value };
  const shown = tasks.filter((task) => fits(task, filter));
  const holdsBack = heldBack(tasks);
  return (
    <>
      {(tasks.length > 0 || !readOnly) && <TaskBar tasks={tasks} readOnly={readOnly} />}
      {shown.length === 0 && <p class="quiet tab-empty">{t(whyNone(tasks, filter.text, readOnly))}</p>}
      <fieldset ref={list} aria-label={t("tasks")} onKeyDown={(event) => moveFocus(event, TASK_ROWS, "vertical")}>
        {GROUPS.map((group) => (
          <TaskGroup
            key={group}
            list={list}
            group={group}
            tasks={shown.filter((task) => groupOf(task) === group)}
            holdsBack={holdsBack}
            canChange={!readOnly}
            onMenu={openMenu}
          />
        ))}
        {!readOnly && <DeletedTasks list={list} there={tasks} />}
      </fieldset>
      {menu}
    </>
  );
}

/** For so long a task that is wanted, or what has become of it, may be on its way, in milliseconds. */
const WANTED_MS = 1_500;

/** Leads to the task that is wanted, once it is there, and to another group if it proves to be in that one. */
function useWantedTask(tasks: readonly TaskRow[] | null): void {
  const { view } = useModel();
  const wanted = view.wantedTask.value;
  const task = tasks?.find(({ id }) => id === wanted?.id);
  useLayoutEffect(() => {
    if (!wanted || !tasks) return undefined;
    if (task) goToTask(view, task);
    const timer = setTimeout(() => {
      if (!task) showAlone(view, wanted.id); // which says that there is none
      view.wantedTask.value = null;
    }, WANTED_MS);
    return () => clearTimeout(timer);
  }, [wanted, tasks === null, task && groupOf(task)]);
}

/** Which sentence stands where no task is shown. */
function whyNone(tasks: readonly TaskRow[], text: string, readOnly: boolean): "noTasks" | "noTasksHere" | "noMatch" {
  if (tasks.length > 0 || text.trim() !== "") return "noMatch";
  return readOnly ? "noTasksHere" : "noTasks";
}

/** Id of a task → the tasks that wait for it. */
function heldBack(tasks: readonly TaskRow[]): ReadonlyMap<string, string[]> {
  const map = new Map<string, string[]>();
  for (const { id, openBlockers } of tasks)
    for (const blocker of openBlockers) {
      const waiting = map.get(blocker);
      if (waiting) waiting.push(id);
      else map.set(blocker, [id]);
    }
  return map;
}

/** The filter, and the way to a new task. */
function TaskBar({ tasks, readOnly }: { tasks: readonly TaskRow[]; readOnly: boolean }) {
  const model = useModel();
  const { view } = model;
  const field = useRef<HTMLElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  useFindKey(() => field.current?.focus());
  const isNew = view.expansion.isOpen(NEW_TASK);
  return (
    <>
      <div class="task-filter" ref={bar}>
        <TextField
          label={t("filterTasks")}
          placeholder={t("filterTasks")}
          icon="filter"
          value={view.filter.value}
          inputRef={field}
          onInput={(text) => {
            view.filter.value = text;
            view.wantedTask.value = null;
          }}
        />
        <OwnerFilter tasks={tasks} />
        {!readOnly && (
          <IconButton
            icon="add"
            label={t("newTask")}
            class="task-add"
            onClick={() => (isNew ? view.expansion.set(NEW_TASK, false) : openNewTask(model))}
          />
        )}
      </div>
      {isNew && !readOnly && (
        <NewTask
          onClose={() => {
            const leads = hasFocusIn(bar.current?.parentElement?.querySelector(".task-new"));
            view.expansion.set(NEW_TASK, false);
            if (leads) bar.current?.querySelector<HTMLElement>(".task-add")?.focus();
          }}
        />
      )}
    </>
  );
}

/** No member has these names. */
const EVERYBODY = "*";
const NOBODY = "-";

function OwnerFilter({ tasks }: { tasks: readonly TaskRow[] }) {
  const { view } = useModel();
  const owners = new Map(tasks.flatMap(({ owner }) => (owner ? [[owner.name, nameOf(owner)] as const] : [])));
  const chosen = view.owner.value;
  if (owners.size === 0 && chosen === null) return null;
  if (chosen !== null && chosen !== "" && !owners.has(chosen)) owners.set(chosen, chosen);
  return (
    <Select
      label={t("ownerFilter")}
      value={chosen === null ? EVERYBODY : chosen === "" ? NOBODY : chosen}
      options={[
        { value: EVERYBODY, label: t("allOwners") },
        { value: NOBODY, label: t("noOwner") },
        ...[...owners].map(([value, label]) => ({ value, label })),
      ]}
      onChange={(name) => {
        view.owner.value = name === EVERYBODY ? null : name === NOBODY ? "" : name;
        view.wantedTask.value = null;
      }}
    />
  );
}

interface GroupProps {
  /** What the group is in. */
  list: RefObject<HTMLElement | null>;
  group: Group;
  tasks: readonly TaskRow[];
  holdsBack: ReadonlyMap<string, string[]>;
  canChange: boolean;
  onMenu: OpenTaskMenu;
}

function TaskGroup({ list, group, tasks, holdsBack, canChange, onMenu }: GroupProps) {
  const { view } = useModel();
  const [limit, showMore] = useLimit(group, STEP);
  useTabStop(list, TASK_ROWS);
  if (tasks.length === 0) return null;
  const [key, byDefault] = opening(group, view.filter.value);
  const open = view.expansion.isOpen(key, byDefault);
  const more = Math.min(STEP, tasks.length - limit);
  return (
    <section class="task-group">
      <TaskGroupHead group={key} open={open} name={t(`group.${group}`)} number={tasks.length} />
      {open && (
        <ul>
          {tasks.slice(0, limit).map((task) => (
            <Task
              key={task.id}
              task={task}
              group={group}
              holdsBack={holdsBack.get(task.id) ?? NONE}
              canChange={canChange}
              onMenu={onMenu}
            />
          ))}
        </ul>
      )}
      {open && more > 0 && (
        <button type="button" class="link task-more" onClick={showMore}>
          {count("moreTasks", more)}
        </button>
      )}
    </section>
  );
}

const NONE: readonly string[] = [];
