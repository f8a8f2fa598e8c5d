import type { TaskRow } from "../../protocol/panel.ts";
import { isInternalTask, type Task, taskMuster } from "../../protocol/task.ts";
import { byId, openBlockers, type TaskGraph } from "../../protocol/taskGraph.ts";
import type { People } from "./people.ts";

/** Longest description of a row, in characters. */
const DESCRIPTION = 2_000;

/** Makes what stands in the tab *Tasks*, in order of numbers. A row in which nothing changed is the same object as before. */
export function createTaskRows(people: People): (graph: TaskGraph) => TaskRow[] {
  let made = new Map<string, { task: Task; row: TaskRow }>();
  return (graph) => {
    const next: typeof made = new Map();
    for (const task of [...graph.tasks.values()].filter((one) => !isInternalTask(one)).sort(byId)) {
      const before = made.get(task.id);
      const edges = { openBlockers: openBlockers(task.id, graph), blockedBy: [...(graph.blockers.get(task.id) ?? [])] };
      const owner = task.owner ? people(task.owner) : null;
      const same = before?.task === task && before.row.owner === owner && hasEdges(before.row, edges);
      next.set(task.id, same ? before : { task, row: { ...ownFields(task), owner, ...edges } });
    }
    made = next;
    return [...made.values()].map(({ row }) => row);
  };
}

type Edges = Pick<TaskRow, "openBlockers" | "blockedBy">;

function hasEdges(row: TaskRow, edges: Edges): boolean {
  return row.openBlockers.join() === edges.openBlockers.join() && row.blockedBy.join() === edges.blockedBy.join();
}

function ownFields(task: Task): Omit<TaskRow, "owner" | keyof Edges> {
  const { id, subject, description, status } = task;
  return {
    ...{ id, subject, status },
    description: description.length <= DESCRIPTION ? description : `${description.slice(0, DESCRIPTION)}…`,
    since: status === "in_progress" ? taskMuster(task).claim?.at || null : null,
  };
}
