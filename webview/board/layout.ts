import { Graph, layout } from "@dagrejs/dagre";
import { NODE } from "./sizes.ts";

export interface Point {
  x: number;
  y: number;
}

/** Where everything stands, in pixels: nodes by their top left corner, edges as the path of an SVG and its head. */
export interface Placed {
  width: number;
  height: number;
  nodes: ReadonlyMap<string, Point>;
  edges: readonly Edge[];
}

/** `path` is to be stroked, `head` to be filled. */
export interface Edge {
  from: string;
  to: string;
  path: string;
  head: string;
}

/** Places tasks from the left to the right, each behind those that it waits for. Blockers that are not among them do not count. */
export function placeTasks(tasks: readonly { id: string; blockedBy: readonly string[] }[]): Placed {
  const graph = new Graph();
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of tasks) graph.setNode(id, { ...NODE });
  for (const { id, blockedBy } of tasks)
    for (const blocker of blockedBy) if (graph.hasNode(blocker)) graph.setEdge(blocker, id);
  const isBelow = (most: Most) => tasks.length <= most.tasks && graph.edgeCount() <= most.links;
  const ranker = isBelow(MOST_COMPACT) ? "network-simplex" : "tight-tree";
  graph.setGraph({ rankdir: "LR", ranker, nodesep: 12, ranksep: GAP, edgesep: 8, marginx: 16, marginy: 4 });
  layout(graph, { disableOptimalOrderHeuristic: !isBelow(MOST_UNTANGLED) });
  const nodes = new Map<string, Point>();
  for (const { id } of tasks) {
    const { x, y } = graph.node(id) as Point;
    nodes.set(id, { x: x - NODE.width / 2, y: y - NODE.height / 2 });
  }
  const edges = graph.edges().map(({ v, w }) => {
    const { points } = graph.edge(v, w) as { points: Point[] };
    return { from: v, to: w, ...drawn(nodes.get(v), nodes.get(w), points) };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width, height, nodes, edges };
}

interface Most {
  tasks: number;
  links: number;
}

/** With more than this the ranks are found by the faster way: 500 tasks with two blockers each take a second. */
const MOST_COMPACT: Most = { tasks: 60, links: 200 };
/**
 * With more than this, edges are not looked through for the fewest crossings: that is 40 % of the time of 500 tasks, and
 * 70 % of that of 192 with eight blockers each.
 */
const MOST_UNTANGLED: Most = { tasks: 200, links: 400 };
/** Between two columns of nodes, in pixels. */
const GAP = 28;
/** Room for the head of an arrow. */
const HEAD = 4;

/** From the right side of a node to the left side of another, by the bends between them. */
function drawn(
  from: Point | undefined,
  to: Point | undefined,
  bends: readonly Point[],
): { path: string; head: string } {
  if (!from || !to) return { path: "", head: "" };
  const start = { x: from.x + NODE.width, y: from.y + NODE.height / 2 };
  const end = { x: to.x - HEAD, y: to.y + NODE.height / 2 };
  const neighbours = end.x - start.x <= GAP;
  const between = (neighbours ? [] : bends.slice(1, -1)).filter(({ x }) => x > start.x + 12 && x < end.x - 8);
  let path = `M${start.x} ${start.y}`;
  let last = start;
  for (const { x, y } of [...between, end]) {
    const bend = (x - last.x) / 2;
    path += `C${last.x + bend} ${last.y} ${x - bend} ${y} ${x} ${y}`;
    last = { x, y };
  }
  return { path, head: `M${end.x - 2} ${end.y - 3}l6 3l-6 3Z` };
}
