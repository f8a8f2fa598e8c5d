import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TaskRow, TeamScreen } from "../../src/protocol/panel.ts";
import { costOf, duration, tokenCount } from "../format.ts";
import { useModel } from "../model.ts";
import { groupOf } from "../state/taskGroups.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { useKeptFocus } from "../ui/keepFocus.ts";
import { useTabStop } from "../ui/roving.ts";
import { FilterBack } from "../views/filterBack.tsx";
import { Screen } from "../views/screen.tsx";
import { useTaskMenu } from "../views/taskMenu.tsx";
import { Task } from "../views/taskRow.tsx";
import { Tasks } from "../views/tasks.tsx";
import { Chooser, Column, type Member } from "./columns.tsx";
import { Legend, TaskGraph } from "./graph.tsx";
import { MailMatrix } from "./mailMatrix.tsx";
import { PlanPage, usePlanOnShow } from "./planPage.tsx";
import { fitting } from "./sizes.ts";
import { count, t } from "./words.ts";

/** With more tasks than this, or more blockers of them, there is only the list: placing them would hold the page up. */
const MOST_IN_GRAPH = { tasks: 500, links: 1_500 } as const;

function fitsGraph(tasks: readonly TaskRow[]): boolean {
  const ids = new Set(tasks.map(({ id }) => id));
  const links = tasks.reduce((sum, { blockedBy }) => sum + blockedBy.filter((id) => ids.has(id)).length, 0);
  return tasks.length <= MOST_IN_GRAPH.tasks && links <= MOST_IN_GRAPH.links;
}

/** The Team Board: the tasks, and below them conversations side by side and who wrote to whom. */
export function Board() {
  return <Screen team={(state) => <Team key={state.team} state={state} />} />;
}

function Team({ state }: { state: TeamScreen }) {
  const { data } = useModel();
  const readOnly = state.readOnly !== null || state.finished !== null;
  const tasks = data.tasks.value ?? [];
  const members: readonly Member[] =
    state.members.length > 0 ? state.members : (state.finished?.byMember.map(({ member }) => member) ?? []);
  const plan = usePlanOnShow();
  if (plan) return <PlanPage key={plan.id} item={plan} tasks={tasks} />;
  return (
    <main class="bd">
      <Head state={state} canGraph={fitsGraph(tasks)} />
      {state.readOnly !== null && <p class="quiet bd-note">{state.readOnly}</p>}
      {data.tasks.value && <TaskArea tasks={tasks} readOnly={readOnly} />}
      <Columns members={members} readOnly={readOnly} />
    </main>
  );
}

function Head({ state, canGraph }: { state: TeamScreen; canGraph: boolean }) {
  const { post } = useModel();
  const { attention, tasks, tokens, cost, budget, finished } = state;
  const [first] = attention;
  const title = state.goal ?? state.title;
  return (
    <header class="bd-head">
      <h1 title={title}>{title}</h1>
      <p class="bd-facts">
        <span>{count("tasksDone", tasks.total, tasks.total - tasks.open)}</span>
        {finished && <span>{duration(finished.durationMs)}</span>}
        <span>{t("tokens", tokenCount(tokens))}</span>
        {cost !== null && <span>{costOf(cost, budget)}</span>}
      </p>
      {first && (
        <button
          type="button"
          class="btn btn-plain bd-needs"
          onClick={() => post({ type: "showInTeam", what: { kind: "request", id: first.id } })}
        >
          <Icon name="bell-dot" />
          {count("requestsWait", attention.length)}
        </button>
      )}
      {canGraph && <GraphOrList />}
    </header>
  );
}

function GraphOrList() {
  const { view } = useModel();
  const board = view.board.value;
  return (
    <fieldset class="bd-seg" aria-label={t("tasksAs")}>
      {[false, true].map((list) => (
        <button
          key={String(list)}
          type="button"
          aria-pressed={board.list === list}
          onClick={() => {
            view.board.value = { ...board, list };
          }}
        >
          {t(list ? "asList" : "asGraph")}
        </button>
      ))}
    </fieldset>
  );
}

/** Where the focus is when the form that had it is gone. */
const NODES = ['.bd-node[tabindex="0"]'];

function TaskArea({ tasks, readOnly }: { tasks: readonly TaskRow[]; readOnly: boolean }) {
  const { view } = useModel();
  const { list, task: chosen } = view.board.value;
  const section = useRef<HTMLElement>(null);
  const box = useCallback(() => section.current, []);
  useKeptFocus(box, "data-task", NODES);
  const tooMany = !fitsGraph(tasks);
  if (list || tooMany || tasks.length === 0)
    return (
      <section class="bd-tasks bd-list">
        <h2 class="vh">{t("tasks")}</h2>
        {tooMany && <p class="quiet bd-note">{t("onlyList", MOST_IN_GRAPH.tasks, MOST_IN_GRAPH.links)}</p>}
        <FilterBack />
        <Tasks readOnly={readOnly} />
      </section>
    );
  const open = tasks.find(({ id }) => id === chosen);
  return (
    <section class="bd-tasks" aria-label={t("tasks")} ref={section}>
      <TaskGraph tasks={tasks} />
      {open && <OpenTask task={open} tasks={tasks} readOnly={readOnly} />}
    </section>
  );
}

/** The chosen task beside the graph, with all that there is to know and to do. */
function OpenTask({ task, tasks, readOnly }: { task: TaskRow; tasks: readonly TaskRow[]; readOnly: boolean }) {
  const { view } = useModel();
  const [menu, openMenu] = useTaskMenu([task]);
  const list = useRef<HTMLUListElement>(null);
  useTabStop(list, ".task-row");
  const close = () => {
    view.board.value = { ...view.board.value, task: null };
    document.querySelector<HTMLElement>(`[data-node="${task.id}"]`)?.focus();
  };
  return (
    <aside
      class="bd-task"
      aria-label={`#${task.id}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <IconButton icon="close" label={t("closeTask")} class="bd-task-close" onClick={close} />
      <ul ref={list}>
        <Task
          key={task.id}
          task={task}
          group={groupOf(task)}
          holdsBack={tasks.filter(({ openBlockers }) => openBlockers.includes(task.id)).map(({ id }) => id)}
          canChange={!readOnly}
          onMenu={openMenu}
        />
      </ul>
      {menu}
    </aside>
  );
}

function Columns({ members, readOnly }: { members: readonly Member[]; readOnly: boolean }) {
  const { view, post } = useModel();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { columns: chosen, list } = view.board.value;
  const names = members.map(({ name }) => name);
  const there = chosen?.filter((name) => names.includes(name)) ?? null;
  const fit = fitting(width, there?.length ?? null);
  const shown = (there ?? names).slice(0, width === 0 ? 0 : fit.columns);
  const told = shown.join("\n");
  const drawn = width > 0; // before that nobody knows what fits
  useEffect(() => {
    if (drawn) post({ type: "showColumns", members: told === "" ? [] : told.split("\n") });
  }, [drawn, told, post]);
  const set = (columns: readonly string[]) => {
    view.board.value = { ...view.board.value, columns };
  };
  const toggle = (name: string) => {
    const without = shown.filter((other) => other !== name);
    set(without.length < shown.length ? without : [...shown.slice(0, fitting(width, 99).columns - 1), name]);
  };
  return (
    <>
      <div class="bd-bar">
        {list ? <span /> : <Legend />}
        <Chooser members={members} shown={shown} onChoose={toggle} />
      </div>
      <div class="bd-cols" ref={box}>
        {shown.flatMap((name) => {
          const member = members.find((one) => one.name === name);
          return member ? [<Column key={name} member={member} readOnly={readOnly} onClose={() => toggle(name)} />] : [];
        })}
        {shown.length === 0 && width > 0 && <p class="quiet bd-none">{t("noColumns")}</p>}
        {fit.matrix && <MailMatrix members={members} />}
      </div>
    </>
  );
}

/** Width of an element in pixels, 0 before it is drawn. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
