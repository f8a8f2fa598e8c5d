import { MusterError } from "../base/errors.ts";
import { PERSON_NAME } from "../protocol/names.ts";
import { isInternalTask, type Task } from "../protocol/task.ts";
import { openBlockers } from "../protocol/taskGraph.ts";
import type { TaskPatch } from "../store/taskChanges.ts";
import { type SessionContext, type TeamHandle, teamOf } from "./context.ts";
import { sendAsPerson } from "./mail/send.ts";

/** A task as the person writes it down. */
export interface PersonsTask {
  subject: string;
  description: string;
}

/**
 * What the person does with the tasks of a team that this process leads. Who is concerned is told in the person's own
 * words: a new owner, one who loses the task, and one who works on a task that was changed. All throw `not_ready` before
 * there is a team, and what `TaskStore` throws.
 */
export interface TaskDesk {
  create(task: PersonsTask): Promise<Task>;
  /** Changes what is given. */
  edit(id: string, change: Partial<PersonsTask>): Promise<void>;
  /** Null: nobody. A task in progress becomes free to be started by its new owner. */
  assign(id: string, owner: string | null): Promise<void>;
  remove(id: string): Promise<void>;
  /** Brings a deleted task back. */
  restore(id: string): Promise<void>;
  /** Deleted tasks in their last state, by number. */
  deleted(): Promise<Task[]>;
}

const ACTOR = { by: PERSON_NAME, isAgent: false };

/** The person's hand on a session's tasks. */
export function createTaskDesk(context: SessionContext): TaskDesk {
  const { tasks } = context.options.store;
  const update = async (id: string, patch: TaskPatch) => {
    const team = handle(context);
    const before = await tasks.get(team.folder, id);
    const { task } = await tasks.update(team.folder, id, patch, ACTOR);
    await team.watch.refresh();
    return { before, task };
  };
  const tell = (owner: string | undefined, text: string) => tellOwner(context, owner, text);
  return {
    async create({ subject, description }) {
      const team = handle(context);
      const task = await tasks.create(team.folder, { subject, description });
      await team.watch.refresh();
      return task;
    },
    async edit(id, change) {
      const { before, task } = await update(id, change);
      const isNew = task && (task.subject !== before.subject || task.description !== before.description);
      if (!isNew || task.status !== "in_progress") return;
      await tell(task.owner, `Task #${id}, which you work on, has changed. It is now: ${taskText(task)}`);
    },
    async assign(id, owner) {
      const { before, task } = await update(id, { owner: owner ?? "" });
      if (!task || task.owner === before.owner || task.status === "completed") return;
      if (before.status === "in_progress")
        await tell(before.owner, `Task #${id} is not yours any more: stop working on it.`);
      await tell(task.owner, assignment(task, openBlockers(id, handle(context).watch.snapshot.graph)));
    },
    async remove(id) {
      const { before } = await update(id, { status: "deleted" });
      if (before.status !== "in_progress") return;
      await tell(before.owner, `Task #${id} (${before.subject}) was deleted: stop working on it.`);
    },
    async restore(id) {
      const team = handle(context);
      await tasks.restore(team.folder, id);
      await team.watch.refresh();
    },
    async deleted() {
      return (await tasks.deleted(handle(context).folder)).filter((task) => !isInternalTask(task));
    },
  };
}

function handle(context: SessionContext): TeamHandle {
  if (context.team) return teamOf(context);
  throw new MusterError("not_ready", "There are no tasks yet: the lead makes its team first.");
}

/** A member that has left, or an owner that no member is, cannot be told. */
async function tellOwner(context: SessionContext, owner: string | undefined, text: string): Promise<void> {
  const isMember = handle(context).watch.snapshot.config.members.some(({ name }) => name === owner);
  if (owner && isMember) await sendAsPerson(context, owner, text);
}

function assignment(task: Task, blockers: readonly string[]): string {
  const when =
    blockers.length === 0
      ? "Start it as soon as you have no other task in progress."
      : `It waits for ${blockers.map((id) => `#${id}`).join(", ")}: start it when they are completed.`;
  return `Task #${task.id} is yours now: ${taskText(task)}\n\n${when}`;
}

function taskText({ subject, description }: Task): string {
  return description.trim() === "" ? subject : `${subject}\n\n${description.trim()}`;
}
