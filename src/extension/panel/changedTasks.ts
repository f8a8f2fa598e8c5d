import type { TaskRow } from "../../protocol/panel.ts";
import type { HostMessage } from "../../protocol/panelMessages.ts";
import { type FoldedRows, foldedRows } from "./foldedRows.ts";

/** A list of so many tasks has all descriptions at once: a task that is opened has nothing to wait for. */
const SHORT_LIST = 200;

/**
 * Sends tasks that changed: of a long list the description only of those that are open in the webview. Those that are
 * not done come first: they are what is seen first.
 */
export function changedTasks(post: (message: HostMessage) => void): FoldedRows<TaskRow> {
  const rows = foldedRows<TaskRow>(
    {
      whole: (tasks) => post({ type: "tasks", tasks }),
      changed: (changed, removed) => post({ type: "taskRows", rows: changed, removed }),
    },
    (task) => ({ ...task, description: null }),
    (tasks) => tasks.length > SHORT_LIST,
  );
  return { ...rows, send: (tasks) => rows.send(tasks.length > SHORT_LIST ? openFirst(tasks) : tasks) };
}

function openFirst(tasks: readonly TaskRow[]): TaskRow[] {
  const isDone = ({ status }: TaskRow) => status === "completed";
  return [...tasks.filter((task) => !isDone(task)), ...tasks.filter(isDone)];
}
