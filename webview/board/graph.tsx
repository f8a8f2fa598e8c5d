import type { RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { groupOf } from "../state/taskGroups.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { moveFocus } from "../ui/roving.ts";
import { Who } from "../ui/who.tsx";
import { TASK_ICONS } from "../views/taskRow.tsx";
import { within } from "./boardView.ts";
import type { Placed, Point } from "./layout.ts";
import { usePan } from "./pan.ts";

/** The tasks as a graph, from the left to the right: each node is a button, in order of numbers. */
export function TaskGraph({ tasks }: { tasks: readonly TaskRow[] }) {
  const { view } = useModel();
  const placed = usePlaces(tasks);
  const box = useRef<HTMLFieldSetElement>(null);
  usePan(box, placed !== null);
  const { zoom } = view.board.value;
  if (!placed) return <div class="bd-graph" />;
  const { width, height } = placed;
  return (
    <div class="bd-graph-frame">
      <fieldset
        ref={box}
        class="bd-graph"
        aria-label={t("taskGraph")}
        onKeyDown={(event) => {
          if (!moveFocus(event, ".bd-node", "horizontal")) moveFocus(event, ".bd-node", "vertical");
        }}
      >
        <div class="bd-room" style={{ width: `${width * zoom}px`, height: `${height * zoom}px` }}>
          <div class="bd-plane" style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${zoom})` }}>
            <Edges tasks={tasks} placed={placed} />
            <Nodes tasks={tasks} placed={placed} />
          </div>
        </div>
      </fieldset>
      <Zoom box={box} placed={placed} />
    </div>
  );
}

/** Where the tasks stand: found out anew where tasks or what they wait for have changed. Null: not yet. */
function usePlaces(tasks: readonly TaskRow[]): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null);
  const shape = useMemo(() => tasks.map(({ id, blockedBy }) => `${id}<${blockedBy.join()}`).join(";"), [tasks]);
  useEffect(() => {
    let over = false;
    void import("./layout.ts").then(({ placeTasks }) => {
      if (!over) setPlaced(placeTasks(tasks));
    });
    return () => {
      over = true;
    };
  }, [shape]);
  return placed;
}

function Edges({ tasks, placed }: { tasks: readonly TaskRow[]; placed: Placed }) {
  const { view } = useModel();
  const { task: chosen } = view.board.value;
  const done = new Set(tasks.filter(({ status }) => status === "completed").map(({ id }) => id));
  const drawn = placed.edges.map((edge) => ({ ...edge, kind: done.has(edge.from) ? "past" : "live" }));
  const own = ({ from, to }: { from: string; to: string }) => from === chosen || to === chosen;
  return (
    <svg class="bd-edges" width={placed.width} height={placed.height} aria-hidden="true">
      <defs>
        {["past", "live"].map((kind) => (
          <marker
            key={kind}
            id={`arrow-${kind}`}
            class={`bd-arrow-${kind}`}
            viewBox="0 0 6 6"
            refX="2"
            refY="3"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0L6 3L0 6Z" />
          </marker>
        ))}
      </defs>
      {drawn
        .sort((one, other) => Number(one.kind === "live") - Number(other.kind === "live"))
        .map((edge) => (
          <path
            key={`${edge.from}-${edge.to}`}
            class={`bd-edge bd-edge-${edge.kind} ${own(edge) ? "bd-edge-own" : ""}`}
            d={edge.path}
            marker-end={`url(#arrow-${edge.kind})`}
          />
        ))}
    </svg>
  );
}

function Nodes({ tasks, placed }: { tasks: readonly TaskRow[]; placed: Placed }) {
  const { view } = useModel();
  const chosen = view.board.value.task;
  const first = tasks.some(({ id }) => id === chosen) ? chosen : tasks[0]?.id;
  return tasks.map((task) => {
    const at = placed.nodes.get(task.id);
    return at && <Node key={task.id} task={task} at={at} chosen={task.id === chosen} isFirst={task.id === first} />;
  });
}

interface NodeProps {
  task: TaskRow;
  at: Point;
  chosen: boolean;
  /** The one that Tab leads to. */
  isFirst: boolean;
}

function Node({ task, at, chosen, isFirst }: NodeProps) {
  const { view } = useModel();
  const group = groupOf(task);
  return (
    <button
      type="button"
      class={`bd-node bd-node-${group}`}
      data-node={task.id}
      style={{ left: `${at.x}px`, top: `${at.y}px` }}
      title={task.subject}
      aria-pressed={chosen}
      tabIndex={isFirst ? 0 : -1}
      onClick={() => {
        view.expansion.set(`task:${task.id}`, true);
        view.board.value = { ...view.board.value, task: chosen ? null : task.id };
      }}
    >
      <span class="bd-node-head">
        <Icon name={TASK_ICONS[group]} label={t(`group.${group}`)} />
        <span>{task.id}</span>
        {task.owner ? <Who member={task.owner} /> : <span class="who-name">{t("noOwner")}</span>}
      </span>
      <span class="bd-node-text">{task.subject}</span>
      {task.openBlockers.length > 0 && (
        <span class="vh">{t("after", task.openBlockers.map((id) => `#${id}`).join(", "))}</span>
      )}
    </button>
  );
}

function Zoom({ box, placed }: { box: RefObject<HTMLElement | null>; placed: Placed }) {
  const { view } = useModel();
  const to = (zoom: number) => {
    view.board.value = { ...view.board.value, zoom: within(zoom) };
  };
  const { zoom } = view.board.value;
  const fit = () => {
    const frame = box.current?.parentElement;
    if (frame) to(Math.min(1, frame.clientWidth / placed.width, frame.clientHeight / placed.height));
  };
  return (
    <div class="bd-zoom">
      <IconButton icon="zoom-out" label={t("zoomOut")} onClick={() => to(zoom / 1.25)} />
      <IconButton icon="zoom-in" label={t("zoomIn")} onClick={() => to(zoom * 1.25)} />
      <IconButton icon="screen-full" label={t("zoomFit")} onClick={fit} />
    </div>
  );
}

/** What the marks of the graph mean. */
export function Legend() {
  return (
    <p class="bd-legend">
      {(["ready", "in_progress", "blocked", "done"] as const).map((group) => (
        <span key={group}>
          <Icon name={TASK_ICONS[group]} />
          {t(`group.${group}`)}
        </span>
      ))}
      <span>
        <i class="bd-legend-line" />
        {t("holdsNext")}
      </span>
    </p>
  );
}
