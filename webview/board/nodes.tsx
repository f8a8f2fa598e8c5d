import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { useModel } from "../model.ts";
import { groupOf } from "../state/taskGroups.ts";
import { Icon } from "../ui/icon.tsx";
import { useTabStop } from "../ui/roving.ts";
import { Dot } from "../ui/who.tsx";
import { TASK_ICONS } from "../views/taskRow.tsx";
import type { Placed, Point } from "./layout.ts";
import { NODE } from "./sizes.ts";
import { t } from "./words.ts";

/** Up to so many tasks are drawn whole wherever they are. */
const ALWAYS_WHOLE = 60;
/** With more than this in sight, a node is its number and its title only. */
const MOST_WHOLE = 80;
/** What is this near to the edge of the view counts as in sight, in pixels of the graph: it is there before it is seen. */
const NEAR = 64;

/** How much of a node is drawn: all of it, number and title, or, out of sight, only that it is there. */
type Detail = "whole" | "text" | "bare";

/**
 * Every task is a button, in order of numbers, so that keys and screen readers reach them all. What stands in it is drawn
 * only where it can be seen.
 */
export function Nodes({ tasks, placed, box }: NodesProps) {
  const { view } = useModel();
  const chosen = useComputed(() => view.board.value.task).value;
  const inSight = useSight(box);
  useTabStop(box, ".bd-node");
  const first = tasks.some(({ id }) => id === chosen) ? chosen : tasks[0]?.id;
  const seen = new Set(
    tasks.filter(({ id }) => {
      const at = placed.nodes.get(id);
      return at && inSight(at);
    }),
  );
  const detailOf = (task: TaskRow): Detail => {
    if (tasks.length <= ALWAYS_WHOLE) return "whole";
    if (!seen.has(task)) return "bare";
    return seen.size > MOST_WHOLE ? "text" : "whole";
  };
  return tasks.map((task) => {
    const at = placed.nodes.get(task.id);
    return (
      at && (
        <Node
          key={task.id}
          task={task}
          at={at}
          detail={detailOf(task)}
          chosen={task.id === chosen}
          isFirst={task.id === first}
        />
      )
    );
  });
}

interface NodesProps {
  tasks: readonly TaskRow[];
  placed: Placed;
  /** What scrolls. */
  box: RefObject<HTMLElement | null>;
}

/** Whether a node can be seen, or nearly. It changes only when the view has moved by about the size of a node. */
function useSight(box: RefObject<HTMLElement | null>): (at: Point) => boolean {
  const { view } = useModel();
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [box]);
  const place = useComputed(() => {
    const { left, top, zoom } = view.board.value;
    return `${Math.floor(left / zoom / NODE.width) * NODE.width} ${Math.floor(top / zoom / NODE.height) * NODE.height} ${zoom}`;
  }).value;
  const [left = 0, top = 0, zoom = 1] = place.split(" ").map(Number);
  const right = left + NODE.width + size.width / zoom;
  const bottom = top + NODE.height + size.height / zoom;
  return ({ x, y }) =>
    x > left - NEAR - NODE.width && x < right + NEAR && y > top - NEAR - NODE.height && y < bottom + NEAR;
}

interface NodeProps {
  task: TaskRow;
  at: Point;
  detail: Detail;
  chosen: boolean;
  /** The one that Tab leads to. */
  isFirst: boolean;
}

function Node({ task, at, detail, chosen, isFirst }: NodeProps) {
  const { view } = useModel();
  const group = groupOf(task);
  return (
    <button
      type="button"
      class={`bd-node bd-node-${group} bd-node-${detail}`}
      data-node={task.id}
      style={{ left: `${at.x}px`, top: `${at.y}px` }}
      title={task.subject}
      aria-label={detail === "whole" ? undefined : spoken(task)}
      aria-pressed={chosen}
      tabIndex={isFirst ? 0 : -1}
      onClick={() => {
        view.expansion.set(`task:${task.id}`, true);
        view.board.value = { ...view.board.peek(), task: chosen ? null : task.id };
      }}
    >
      {detail === "text" && `${task.id} ${task.subject}`}
      {detail === "whole" && (
        <>
          <span class="bd-node-head">
            <Icon name={TASK_ICONS[group]} label={t(`group.${group}`)} />
            {` ${task.id} `}
            {task.owner ? <Dot member={task.owner} /> : null}
            {task.owner ? ` ${nameOf(task.owner)}` : t("noOwner")}
          </span>
          <span class="bd-node-title">{task.subject}</span>
          {task.openBlockers.length > 0 && <span class="vh">{after(task)}</span>}
        </>
      )}
    </button>
  );
}

/** All that the picture says of a task; it holds what is drawn of it as a text. */
function spoken(task: TaskRow): string {
  const { id, owner, subject, openBlockers } = task;
  const said = `${t(`group.${groupOf(task)}`)} ${id} ${subject} ${owner ? nameOf(owner) : t("noOwner")}`;
  return openBlockers.length === 0 ? said : `${said} ${after(task)}`;
}

function after({ openBlockers }: TaskRow): string {
  return t("after", openBlockers.map((id) => `#${id}`).join(", "));
}
