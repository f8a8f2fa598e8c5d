import * as z from "zod";
import type { Tool } from "../../agent/types.ts";
import { isoTime } from "../../base/clock.ts";
import type { Task, TaskView } from "../../protocol/task.ts";
import { openBlockersText, type TaskGraph, taskView, taskViews } from "../../protocol/taskGraph.ts";
import { isLead } from "../../protocol/team.ts";
import { damagedTask } from "../../store/unknown.ts";
import { currentAgent } from "../agentContext.ts";
import { type MemberContext, type RunningMember, teamOf } from "../context.ts";
import { sendBody } from "../mail/send.ts";
import { teamTool } from "./teamTool.ts";

const ids = z.array(z.string());
const metadata = z.record(z.string(), z.unknown());

/** TaskCreate, TaskGet, TaskList and TaskUpdate for one member. */
export function taskTools(context: MemberContext, running: RunningMember): Tool[] {
  return [createTool(context), getTool(context), listTool(context), updateTool(context, running)];
}

function createTool(context: MemberContext): Tool {
  return teamTool({
    name: "TaskCreate",
    description:
      "Adds a task to the team's list. Give it a short imperative subject and a description that can be worked from without asking: what is to be true in the end, which files, how it is checked. It starts pending and without owner; set dependencies and owners with TaskUpdate.",
    inputSchema: z.object({
      subject: z.string().min(1).describe("Short title, imperative"),
      description: z.string().describe("What to do, where, and how to check it"),
      activeForm: z.optional(z.string()).describe("The subject as something going on, such as: Fixing the parser"),
      metadata: z.optional(metadata).describe("Your own data"),
    }),
    async run({ subject, description, activeForm, metadata: own }) {
      const { folder, watch } = teamOf(context);
      const task = await context.options.store.tasks.create(folder, {
        subject,
        description,
        ...(activeForm === undefined ? {} : { activeForm }),
        ...(own === undefined ? {} : { metadata: own }),
      });
      void watch.refresh();
      return `Task #${task.id} created successfully: ${task.subject}`;
    },
  });
}

function getTool(context: MemberContext): Tool {
  return teamTool({
    name: "TaskGet",
    description:
      "Shows one task of the team's list whole: description, status, owner, what blocks it and what it blocks.",
    inputSchema: z.object({ taskId: z.string() }),
    parallel: true,
    async run({ taskId }) {
      const graph = await context.options.store.tasks.list(teamOf(context).folder);
      const task = graph.tasks.get(taskId);
      if (!task && graph.damaged.has(taskId)) throw damagedTask(taskId);
      return task ? taskText(taskView(task, graph)) : "Task not found";
    },
  });
}

function listTool(context: MemberContext): Tool {
  return teamTool({
    name: "TaskList",
    description: "Lists the team's tasks with status, owner and open blockers, one a line, by number.",
    inputSchema: z.object({}),
    parallel: true,
    async run() {
      const graph = await context.options.store.tasks.list(teamOf(context).folder);
      const lines = taskViews(graph).map((task) => taskListLine(task, graph));
      return lines.length === 0 ? "No tasks." : lines.join("\n");
    },
  });
}

function updateTool(context: MemberContext, running: RunningMember): Tool {
  return teamTool({
    name: "TaskUpdate",
    description:
      'Changes a task: status (pending, in_progress, completed, deleted), owner, texts, dependencies (addBlockedBy: tasks that must be completed first; addBlocks: tasks that wait for this one), metadata (null removes a key). in_progress without an owner makes it yours; owner "" gives it back. A blocked task cannot be started, and a member has one task in progress at a time.',
    inputSchema: z.object({
      taskId: z.string(),
      subject: z.optional(z.string().min(1)),
      description: z.optional(z.string()),
      activeForm: z.optional(z.string()),
      status: z.optional(z.enum(["pending", "in_progress", "completed", "deleted"])),
      addBlocks: z.optional(ids),
      addBlockedBy: z.optional(ids),
      owner: z.optional(z.string()),
      metadata: z.optional(metadata),
    }),
    async run({ taskId, ...patch }) {
      const { folder, watch } = teamOf(context);
      const graph = await context.options.store.tasks.list(folder);
      if (!graph.tasks.has(taskId) && !graph.damaged.has(taskId)) return "Task not found";
      const result = await context.options.store.tasks.update(folder, taskId, defined(patch), {
        by: currentAgent().name,
        incarnation: running.member.spec.incarnation,
        isAgent: true,
      });
      if (result.task?.owner && result.task.owner !== result.previousOwner)
        await announceOwner(context, running, result.task);
      await watch.refresh();
      const hint =
        patch.status === "completed" && !isLead(running.member) ? "\nCall TaskList to see what is next." : "";
      return `Updated task #${taskId} ${result.changed.join(", ")}${hint}`;
    },
  });
}

/** A new owner other than the caller is told by a `task_assignment`. */
async function announceOwner(context: MemberContext, running: RunningMember, task: Task): Promise<void> {
  const owner = task.owner ?? "";
  if (owner === running.member.name || owner === "") return;
  await sendBody(
    context,
    running,
    owner,
    {
      type: "task_assignment",
      taskId: task.id,
      subject: task.subject,
      description: task.description,
      assignedBy: running.member.name,
      timestamp: isoTime(context.options.clock.now()),
    },
    { mustArrive: true },
  );
}

function taskListLine(task: TaskView, graph: TaskGraph): string {
  const owner = task.owner ? ` (${task.owner})` : "";
  const blockers = openBlockersText(task.id, graph);
  const blocked = blockers === "" ? "" : ` [blocked by ${blockers}]`;
  return `#${task.id} [${task.status}] ${task.subject}${owner}${blocked}`;
}

function taskText(task: TaskView): string {
  const list = (label: string, of: string[]) =>
    of.length > 0 ? [`${label}: ${of.map((id) => `#${id}`).join(", ")}`] : [];
  return [
    `Task #${task.id}: ${task.subject}`,
    `Status: ${task.status}`,
    ...(task.owner ? [`Owner: ${task.owner}`] : []),
    `Description: ${task.description}`,
    ...list("Blocked by", task.blockedBy),
    ...list("Blocks", task.blocks),
    ...(Object.keys(task.metadata).length > 0 ? [`Metadata: ${JSON.stringify(task.metadata)}`] : []),
  ].join("\n");
}

function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never;
}
