import { useState } from "preact/hooks";
import type { MemberRow, TaskRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { type Model, useModel } from "../model.ts";

/** Of this kind is what is dragged; no other place of the window takes it. */
const TASK_TYPE = "application/x-muster-task";

/** Whether a task can be given to a member: not to its owner, and to nobody who has ended or is about to. */
export function canOwn(row: MemberRow, task: TaskRow): boolean {
  return row.name !== task.owner?.name && row.state !== "dead" && row.state !== "stopping";
}

/** Gives a task to a member, or (null) to nobody. It is said once it is so; why not stands in the task's row. */
export function assignTask({ work, announcer }: Model, task: TaskRow, owner: MemberRow | null): void {
  work.ask(
    task.id,
    (intent) => ({ type: "assignTask", intent, task: task.id, owner: owner?.name ?? null }),
    () => announcer.say(t("taskAssigned", task.id, owner ? nameOf(owner) : t("nobody"))),
  );
}

/** Lets a task be dragged to a member, where the two are in one view. For the pointer only: the menu does the same. */
export function useTaskDrag(task: TaskRow, canChange: boolean) {
  const { work, surface } = useModel();
  return {
    draggable: canChange && surface === "team",
    onDragStart: (event: DragEvent) => {
      work.dragged.value = task;
      event.dataTransfer?.setData(TASK_TYPE, task.id);
    },
    onDragEnd: () => {
      work.dragged.value = null;
    },
  };
}

/** Whether a task is dragged, and not a text or a file, which comes without an end to a drag before it. */
function isTask({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(TASK_TYPE) ?? false;
}

/** Lets a member take the task that is dragged, where it can. `isOver`: it would take it now. */
export function useTaskDrop(row: MemberRow) {
  const model = useModel();
  const [isOver, setOver] = useState(false);
  const task = model.work.dragged.value;
  const fitting = task && canOwn(row, task) ? task : null;
  return {
    isOver: isOver && fitting !== null,
    drop: {
      onDragOver: (event: DragEvent) => {
        if (!fitting || !isTask(event)) return;
        event.preventDefault(); // says that it can be dropped here
        setOver(true);
      },
      onDragLeave: (event: DragEvent & { currentTarget: Node }) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        if (fitting && isTask(event)) assignTask(model, fitting, row);
      },
    },
  };
}
