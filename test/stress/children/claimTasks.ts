import { isMusterError } from "../../../src/base/errors.ts";
import { isBlocked } from "../../../src/protocol/taskGraph.ts";
import { createStore } from "../../../src/store/store.ts";
import { childInput, say } from "./childInput.ts";

/** Claims tasks and completes them until none is free and all are done, or the time (ms since the epoch) is over. */
interface Input {
  root: string;
  by: string;
  total: number;
  until?: number;
}

const { root, by, total, until = Number.POSITIVE_INFINITY } = childInput<Input>();
const store = createStore({ root, locks: { timeoutMs: 600_000 } });
while (Date.now() < until) {
  try {
    const { id } = await store.tasks.claim("demo", "next", { by, hasTool: () => true });
    const graph = await store.tasks.list("demo");
    const own = [...graph.tasks.values()].filter((task) => task.owner === by && task.status === "in_progress");
    say({ claimed: id, blocked: isBlocked(id, graph), inProgress: own.map((task) => task.id) });
    await store.tasks.update("demo", id, { status: "completed" }, { by });
  } catch (error) {
    if (!isMusterError(error, "unknown_task")) throw error;
    const { tasks } = await store.tasks.list("demo");
    if ([...tasks.values()].filter((task) => task.status === "completed").length === total) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
store.dispose();
