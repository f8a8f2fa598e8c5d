import { useComputed } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { useModel } from "../model.ts";
import { within } from "../state/boardView.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { moveFocus } from "../ui/roving.ts";
import { TASK_ICONS } from "../views/taskRow.tsx";
import { Edges } from "./edges.tsx";
import type { Placed } from "./layout.ts";
import { Nodes } from "./nodes.tsx";
import { usePan } from "./pan.ts";
import { usePlacedTasks } from "./placedTasks.ts";
import { t } from "./words.ts";

/** The tasks as a graph, from the left to the right: each node is a button, in order of numbers. */
export function TaskGraph({ tasks }: { tasks: readonly TaskRow[] }) {
  const { view } = useModel();
  const placed = usePlacedTasks(tasks);
  const box = useRef<HTMLFieldSetElement>(null);
  usePan(box, placed);
  const zoom = useComputed(() => view.board.value.zoom).value; // scrolling alone draws nothing here
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
            <Nodes tasks={tasks} placed={placed} box={box} />
          </div>
        </div>
      </fieldset>
      <Zoom box={box} placed={placed} />
    </div>
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
