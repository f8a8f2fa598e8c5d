import type { TaskView } from "../../protocol/task.ts";
import { openBlockersText, type TaskGraph, taskViews } from "../../protocol/taskGraph.ts";
import { defineCommand } from "../command.ts";
import { writeResult } from "../context.ts";
import { EXIT } from "../exitCodes.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, usableWidth } from "../render/table.ts";

/** `muster tasks TEAM`. */
export const tasksCommand = defineCommand({
  name: "tasks",
  args: ["TEAM"],
  summary: "List a team's tasks",
  options: {},
  async run({ args }, context) {
    const store = context.store();
    const team = await store.teams.resolve(args.TEAM);
    const graph = await store.tasks.list(team);
    const tasks = taskViews(graph);
    const { colors, columns } = context.io.stdout;
    writeResult(context, { tasks }, () => taskTable(tasks, graph, usableWidth(columns), makeStyle(colors)));
    return EXIT.done;
  },
});

/** Tasks as a table for a person. */
function taskTable(tasks: readonly TaskView[], graph: TaskGraph, width: number, style: Style): string {
  if (tasks.length === 0) return "No tasks.";
  const columns = [
    { title: "ID", right: true },
    { title: "STATUS" },
    { title: "OWNER" },
    { title: "SUBJECT", flexible: true },
  ];
  const rows = tasks.map((task) => [
    task.id,
    { text: statusText(task, graph), paint: paintOf(task, style) },
    task.owner ?? "-",
    task.subject,
  ]);
  return renderTable(columns, rows, width, style);
}

function statusText(task: TaskView, graph: TaskGraph): string {
  if (task.status === "in_progress") return "in progress";
  if (task.status === "pending" && task.openBlockers.length > 0) return `waits for ${openBlockersText(task.id, graph)}`;
  return task.status;
}

function paintOf(task: TaskView, style: Style): (text: string) => string {
  if (task.status === "completed") return style.good;
  return task.status === "in_progress" ? style.warn : (text) => text;
}
