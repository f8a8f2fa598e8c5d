import { useComputed } from "@preact/signals";
import type { TaskRow } from "../../src/protocol/panel.ts";
import { useModel } from "../model.ts";
import type { Edge, Placed } from "./layout.ts";

/** From the bottom to the top: what is satisfied, what still holds the next task back, and those of the chosen task. */
const KINDS = ["past", "live", "own"] as const;

/** Who waits for whom: one path for all edges of a kind, and one for their heads, however many there are. */
export function Edges({ tasks, placed }: { tasks: readonly TaskRow[]; placed: Placed }) {
  const { view } = useModel();
  const chosen = useComputed(() => view.board.value.task).value;
  const done = new Set(tasks.filter(({ status }) => status === "completed").map(({ id }) => id));
  const kindOf = ({ from, to }: Edge) => {
    if (from === chosen || to === chosen) return "own";
    return done.has(from) ? "past" : "live";
  };
  const drawn = placed.edges.map((edge) => ({ edge, kind: kindOf(edge) }));
  return (
    <svg class="bd-edges" width={placed.width} height={placed.height} aria-hidden="true">
      {KINDS.map((kind) => {
        const edges = drawn.filter((one) => one.kind === kind).map(({ edge }) => edge);
        return (
          edges.length > 0 && (
            <g key={kind} class={`bd-edge-${kind}`}>
              <path class="bd-edge" d={edges.map(({ path }) => path).join("")} />
              <path class="bd-arrow" d={edges.map(({ head }) => head).join("")} />
            </g>
          )
        );
      })}
    </svg>
  );
}
