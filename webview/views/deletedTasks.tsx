import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { DeletedTaskRow, TaskRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Icon, IconButton } from "../ui/icon.tsx";
import { useTabStop } from "../ui/roving.ts";
import { TaskError } from "./taskForm.tsx";
import { TASK_ROWS, TaskGroupHead } from "./taskGroupHead.tsx";

/** Tasks that were deleted, whoever did it, each with the way back. */
export function DeletedTasks({ list, there }: DeletedProps) {
  const { data, view, post } = useModel();
  useTabStop(list, TASK_ROWS);
  // a task that is gone may have been deleted by an agent
  const sum = there.reduce((all, { id }) => all + Number(id), 0); // one may have come in the place of one that went
  useEffect(() => post({ type: "listDeletedTasks" }), [there.length, sum, post]);
  const tasks = data.deletedTasks.value;
  if (tasks.length === 0) return null;
  const open = view.expansion.isOpen("group:deleted");
  return (
    <section class="task-group">
      <TaskGroupHead group="group:deleted" open={open} name={t("group.deleted")} number={tasks.length} />
      {open && (
        <ul>
          {tasks.map((task) => (
            <Deleted key={task.id} task={task} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface DeletedProps {
  /** What they are in. */
  list: RefObject<HTMLElement | null>;
  /** The tasks that are not deleted. */
  there: readonly TaskRow[];
}

function Deleted({ task }: { task: DeletedTaskRow }) {
  const { work, announcer } = useModel();
  return (
    <li class="task task-gone">
      <div class="task-line">
        <span class="task-row">
          <Icon name="trash" />
          <span class="meta task-number">{task.id}</span>
          <span class="task-subject" title={task.subject}>
            {task.subject}
          </span>
        </span>
        <IconButton
          icon="discard"
          label={t("restoreTask", task.id)}
          onClick={() =>
            work.ask(
              task.id,
              (intent) => ({ type: "restoreTask", intent, task: task.id }),
              () => announcer.say(t("taskRestored", task.id)),
            )
          }
        />
      </div>
      <TaskError row={task.id} />
    </li>
  );
}
