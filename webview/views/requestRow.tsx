import type { ComponentChildren } from "preact";
import type { AttentionItem } from "../../src/protocol/panel.ts";
import { useModel } from "../model.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Age } from "../ui/who.tsx";

interface RequestRowProps {
  /** What the row is about; of several requests the one that waits longest. */
  item: AttentionItem;
  /** The request that the row opens. */
  id: string;
  title: string;
  /** Who asks. */
  from: ComponentChildren;
  open: boolean;
  inert: boolean;
  /** The row that Tab reaches. */
  first: boolean;
  /** What stands below the heading of an open row. */
  children: ComponentChildren;
}

/** A row of *Needs you*: its heading is a button that opens it. */
export function RequestRow({ item, id, title, from, open, inert, first, children }: RequestRowProps) {
  const { queue } = useModel();
  const headId = `request-${id}`;
  return (
    <li class={open ? "req req-open" : "req"} data-request={id}>
      <fieldset
        aria-labelledby={headId}
        class={inert ? "req-inert" : ""}
        onKeyDown={(event) => open && requestKeys(event)}
      >
        <h3>
          <button
            type="button"
            id={headId}
            class="req-head"
            aria-expanded={open}
            tabIndex={first ? 0 : -1}
            onClick={() => queue.toggle(id)}
          >
            <Icon name={kindIcon(item)} />
            <b class="req-title">{title}</b>
            <Age since={item.createdAt} />
            <Icon name={open ? "chevron-up" : "chevron-down"} class="twistie" />
            <span class="req-from">{from}</span>
          </button>
        </h3>
        {open && children}
      </fieldset>
    </li>
  );
}

/** The icon of what a request is about. */
function kindIcon(item: AttentionItem): IconName {
  if (item.kind === "plan") return "checklist";
  if (item.kind === "budget") return "debug-pause";
  if (item.kind === "answer") return item.failure ? "error" : "comment";
  const icons = { command: "terminal", edit: "edit", json: "tools" } as const;
  return icons[item.preview.type];
}

/**
 * Keys inside an open request. Enter alone and Esc alone never decide. While something has to be shown before the primary
 * choice, its key shows that.
 */
export function requestKeys(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const request = event.currentTarget;
  const modified = event.ctrlKey || event.metaKey;
  const typing = event.target instanceof HTMLElement && event.target.matches("textarea");
  const press = (choice: string) => {
    const button = request.querySelector<HTMLElement>(`[data-choice=${choice}]`);
    if (!button) return;
    event.preventDefault();
    const held = button.ariaDisabled === "true" && !request.matches(".req-inert, :has(.req-inert)");
    const rest = held ? request.querySelector<HTMLElement>("[data-choice=rest]") : null;
    if (!event.repeat) (rest ?? button).click();
  };
  if (modified && event.key === "Enter") press("primary");
  else if (modified && event.key === "Backspace" && !typing) press("refuse");
  else if (event.altKey && event.key === "ArrowDown") press("more");
}
