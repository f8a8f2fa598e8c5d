import { useRef, useState } from "preact/hooks";
import type { MemberRef, TaskRow } from "../../src/protocol/panel.ts";
import { count, t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { TextField } from "../ui/fields.tsx";
import { Icon, IconButton, type IconName } from "../ui/icon.tsx";
import { Markdown, MESSAGE } from "../ui/markdown.tsx";
import { moveFocus } from "../ui/roving.ts";
import { useWantedFocus } from "../ui/wantedFocus.ts";
import { Age, Who } from "../ui/who.tsx";

type Group = "in_progress" | "ready" | "blocked" | "done";

const GROUPS: readonly Group[] = ["in_progress", "ready", "blocked", "done"];
const ICONS: Record<Group, IconName> = { in_progress: "record", ready: "circle-large", blocked: "lock", done: "pass" };

const TASK_ROWS = ".task-row, .task-group-head";

/** Rows of one group that are drawn before more are asked for. */
const STEP = 100;

/** The tasks, in groups of what can be done with them. */
export function Tasks() {
  const { data, view } = useModel();
  const tasks = data.tasks.value;
  if (tasks === null) return null;
  if (tasks.length === 0) return <p class="quiet tab-empty">{t("noTasks")}</p>;
  const filter = view.filter.value.trim().toLowerCase();
  const shown = filter === "" ? tasks : tasks.filter((task) => matches(task, filter));
  return (
    <>
      <Filter />
      {shown.length === 0 && <p class="quiet tab-empty">{t("noMatch")}</p>}
      <fieldset aria-label={t("tasks")} onKeyDown={(event) => moveFocus(event, TASK_ROWS, "vertical")}>
        {GROUPS.map((group) => (
          <TaskGroup key={group} group={group} tasks={shown.filter((task) => groupOf(task) === group)} />
        ))}
      </fieldset>
    </>
  );
}

/** Where a task stands: a pending one is ready once nothing holds it back. */
function groupOf(task: TaskRow): Group {
  if (task.status === "in_progress") return "in_progress";
  if (task.status === "completed") return "done";
  return task.openBlockers.length > 0 ? "blocked" : "ready";
}

function matches(task: TaskRow, filter: string): boolean {
  const owner = task.owner?.displayName.toLowerCase() ?? "";
  return `#${task.id} ${task.subject}`.toLowerCase().includes(filter) || owner.includes(filter);
}

function Filter() {
  const { view } = useModel();
  const field = useRef<HTMLElement>(null);
  useWantedFocus("filter", field);
  return (
    <div class="task-filter">
      <TextField
        label={t("filterTasks")}
        placeholder={t("filterTasks")}
        icon="filter"
        value={view.filter.value}
        inputRef={field}
        onInput={(text) => {
          view.filter.value = text;
        }}
      />
    </div>
  );
}

function TaskGroup({ group, tasks }: { group: Group; tasks: readonly TaskRow[] }) {
  const { view } = useModel();
  const [limit, setLimit] = useState(STEP);
  if (tasks.length === 0) return null;
  const key = `group:${group}`;
  const open = view.expansion.isOpen(key, group !== "done") || view.filter.value.trim() !== "";
  const more = Math.min(STEP, tasks.length - limit);
  return (
    <section class="task-group">
      <h3>
        <button
          type="button"
          class="task-group-head"
          aria-expanded={open}
          tabIndex={0}
          onClick={() => view.expansion.set(key, !open)}
        >
          <Icon name={open ? "chevron-down" : "chevron-right"} />
          {t(`group.${group}`)}
          <span class="count">{tasks.length}</span>
        </button>
      </h3>
      {open && (
        <ul>
          {tasks.slice(0, limit).map((task) => (
            <Task key={task.id} task={task} group={group} />
          ))}
        </ul>
      )}
      {open && more > 0 && (
        <button type="button" class="link task-more" onClick={() => setLimit(limit + STEP)}>
          {count("moreTasks", more)}
        </button>
      )}
    </section>
  );
}

function Task({ task, group }: { task: TaskRow; group: Group }) {
  const { view } = useModel();
  const key = `task:${task.id}`;
  const open = view.expansion.isOpen(key);
  return (
    <li class={`task task-${group}`}>
      <button
        type="button"
        class="task-row"
        aria-expanded={open}
        tabIndex={-1}
        onClick={() => view.expansion.set(key, !open)}
      >
        <Icon name={ICONS[group]} label={t(`group.${group}`)} />
        <span class="meta task-number">{task.id}</span>
        <span class="task-subject" title={task.subject}>
          {task.subject}
        </span>
        <End task={task} group={group} />
      </button>
      {open && <Detail task={task} />}
    </li>
  );
}

function End({ task, group }: { task: TaskRow; group: Group }) {
  if (group === "blocked") return <span class="task-end">{t("after", blockers(task))}</span>;
  if (task.owner)
    return (
      <>
        <Who member={task.owner} class="task-owner" />
        {task.since !== null && <Age since={task.since} class="task-age" />}
      </>
    );
  return <span class="task-end">{t("noOwner")}</span>;
}

function Detail({ task }: { task: TaskRow }) {
  return (
    <div class="task-detail">
      <p class="task-title">{task.subject}</p>
      {task.description === "" ? (
        <p class="quiet">{t("noDescription")}</p>
      ) : (
        <Markdown text={task.description} style={MESSAGE} />
      )}
      {task.owner && <Owner owner={task.owner} />}
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

function blockers(task: TaskRow): string {
  return task.openBlockers.map((id) => `#${id}`).join(", ");
}
