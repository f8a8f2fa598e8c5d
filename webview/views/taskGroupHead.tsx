import { useModel } from "../model.ts";
import { Icon } from "../ui/icon.tsx";

/** What the arrow keys move among in the list of tasks. */
export const TASK_ROWS = "button.task-row, .task-group-head";

interface HeadProps {
  /** Under which it is kept whether the group is open. */
  group: string;
  open: boolean;
  name: string;
  /** Of the tasks in it. */
  number: number;
}

/** The name of a group of tasks: it opens and closes it. */
export function TaskGroupHead({ group, open, name, number }: HeadProps) {
  const { view } = useModel();
  return (
    <h3>
      <button
        type="button"
        class="task-group-head"
        aria-expanded={open}
        tabIndex={-1}
        onClick={() => view.expansion.set(group, !open)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} />
        {name}
        <span class="count">{number}</span>
      </button>
    </h3>
  );
}
