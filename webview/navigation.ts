import type { TaskRow } from "../src/protocol/panel.ts";
import type { HostMessage } from "../src/protocol/panelMessages.ts";
import type { Model, WantedItem } from "./model.ts";
import { placeOf } from "./places.ts";
import { showAlone } from "./state/shownAlone.ts";
import { fits, groupOf, opening, type TaskFilter } from "./state/taskGroups.ts";
import type { ViewState } from "./state/viewState.ts";

/** What the host asks to be shown. */
export type Reveal = Extract<HostMessage, { type: "reveal" }>["what"];

/** Shows what the host asks for. */
export function reveal(model: Model, what: Reveal): void {
  if (what.kind === "composer") {
    if (what.insert !== undefined) model.composer.insert.value = what.insert;
    model.focus.value = { kind: "composer" };
  } else if (what.kind === "member") {
    model.chooseMember(what.name);
    model.showTab("conversation");
  } else if (what.kind === "find") {
    model.showTab("conversation");
    model.find.open();
  } else if (what.kind === "task") showTask(model, what.id);
  else revealRequest(model, what);
}

function revealRequest(model: Model, what: Extract<Reveal, { kind: "request" }>): void {
  if (model.surface === "board") readPlan(model, what.id);
  else if (model.queue.items.peek().some(({ id }) => id === what.id)) {
    model.queue.open(what.id);
    model.focus.value = { kind: "request", id: what.id, shown: true };
  }
}

/** Goes to an item of a member's conversation. */
export function showItem(model: Model, item: WantedItem): void {
  model.chooseMember(item.member);
  model.showTab("conversation");
  model.wantedItem.value = item;
}

/** Shows the plan of a request in the place of the whole board. */
export function readPlan({ view, queue, focus }: Model, request: string): void {
  queue.open(request);
  focus.value = queue.items.peek().some(({ id }) => id === request) ? { kind: "plan", id: request } : null;
  view.board.value = { ...view.board.peek(), plan: request };
}

/** Goes to the row of a task, once the list has it: see `goToTask`. */
export function showTask(model: Model, id: string): void {
  if (showNode(model, id)) return;
  model.showTab("tasks");
  model.view.wantedTask.value = { id };
}

/** Goes to the row of a task of the list. `alone`: it takes the place of the filter, as one does that is far down. */
export function goToTask(view: ViewState, task: TaskRow, alone = !fits(task, filterOf(view))): void {
  if (alone) showAlone(view, task.id);
  const [group, byDefault] = opening(groupOf(task), view.filter.peek());
  if (!view.expansion.isOpen(group, byDefault)) view.expansion.set(group, true);
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>(`[data-task="${task.id}"] .task-row`);
    if (row) leadTo(view, row);
    else if (!alone) goToTask(view, task, true);
  });
}

function filterOf({ filter, owner }: ViewState): TaskFilter {
  return { text: filter.peek(), owner: owner.peek() };
}

function leadTo({ scroll }: ViewState, row: HTMLElement): void {
  if (document.hasFocus() && !document.activeElement?.matches("input, textarea")) row.focus();
  else row.scrollIntoView({ block: "nearest" }); // the person types, here or elsewhere
  const box = row.closest(".scroller");
  if (box) scroll.value = { ...scroll.peek(), top: box.scrollTop }; // a place of before is not gone back to
}

/** Opens a task beside the board's graph, where that is what is on show: of many tasks there is only the list. */
function showNode({ surface, view }: Model, id: string): boolean {
  const board = view.board.peek();
  if (surface === "team" || board.list || document.querySelector(".bd-list")) return false;
  view.expansion.set(`task:${id}`, true);
  view.board.value = { ...board, task: id };
  return true;
}

/** Goes to the task, or asks for the file, that a text names. */
export function followPlace(model: Model, text: string): void {
  const place = placeOf(text);
  if (place?.kind === "task") showTask(model, place.id);
  else if (place) model.post({ type: "openFile", path: place.path, line: place.line });
}
