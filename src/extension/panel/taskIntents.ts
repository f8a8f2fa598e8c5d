import type { DeletedTaskRow } from "../../protocol/panel.ts";
import type { TeamSession } from "../../team/types.ts";
import { runningSession } from "../teams/runningSession.ts";
import type { IntentHandlers, IntentPorts } from "./intents.ts";

type TaskIntent = "createTask" | "editTask" | "assignTask" | "deleteTask" | "restoreTask" | "listDeletedTasks";

/** Subjects are shown up to so many characters. */
const MAX_SUBJECT = 200;

/** What the person does with tasks. */
export const TASK_HANDLERS: Pick<IntentHandlers, TaskIntent> = {
  createTask: async ({ subject, description }, ports) => {
    await desk(ports).create({ subject, description });
  },
  editTask: async ({ task, subject, description }, ports) =>
    desk(ports).edit(task, {
      ...(subject === undefined ? {} : { subject }),
      ...(description === undefined ? {} : { description }),
    }),
  assignTask: async ({ task, owner }, ports) => desk(ports).assign(task, owner),
  deleteTask: async ({ task }, ports) => {
    await desk(ports).remove(task);
    await tellDeleted(ports);
  },
  restoreTask: async ({ task }, ports) => {
    await desk(ports).restore(task);
    await tellDeleted(ports);
  },
  listDeletedTasks: async (_intent, ports) => tellDeleted(ports),
};

/**
 * Deleted tasks that can be brought back, by number, the newest 100. A team that is only read here (null), or that is not
 * made yet, has none. Throws read errors.
 */
export async function deletedTasks(session: TeamSession | null): Promise<DeletedTaskRow[]> {
  const deleted = session?.team == null ? [] : await session.tasks.deleted();
  return deleted.map(({ id, subject }) => ({ id, subject: subject.slice(0, MAX_SUBJECT) }));
}

function desk(ports: IntentPorts) {
  return runningSession(ports.session()).tasks;
}

async function tellDeleted(ports: IntentPorts): Promise<void> {
  ports.post({ type: "deletedTasks", tasks: await deletedTasks(ports.session()) });
}
