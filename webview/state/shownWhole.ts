import type { FileDiff, PermissionItem } from "../../src/protocol/panel.ts";
import type { Expansion } from "./expansion.ts";
import type { TaskWork } from "./taskWork.ts";
import type { ViewState } from "./viewState.ts";

/** Lines of a change that are shown before the rest is asked for. */
export const SHOWN_LINES = 40;
/** Lines of a change that are shown here at most; all of a longer one is in the diff editor. */
export const MOST_LINES = 400;

/** Whether the person has had all of a plan on the screen, or opened it beside the panel. Reading it subscribes. */
export function wasOpened(expansion: Expansion, request: string): boolean {
  return expansion.isOpen(openedKey(request));
}

/** Names the change of a request among what can be open. */
export function diffKey(request: string): string {
  return `diff:${request}`;
}

/**
 * Asks the host to open what a request is about, whole: a plan on the board or as a document, an edit as a diff, another
 * input as a document. It counts as seen only once that was done; why it was not is an error of the row `openedKey`.
 */
export function openWhole(
  { work, view }: { work: TaskWork; view: ViewState },
  type: "openDiff" | "openPlan" | "showPlan",
  request: string,
): void {
  work.ask(
    openedKey(request),
    (intent) => ({ type, intent, request }),
    (team) => team === view.team.peek() && rememberOpened(view.expansion, request),
  );
}

/** The person has opened what a request is about beside the panel, whole, or has had all of it on the screen. */
export function rememberOpened(expansion: Expansion, request: string): void {
  expansion.set(openedKey(request), true);
}

/**
 * Whether something of an edit or of an input is cut that the person has neither had shown nor opened. Never of a
 * command: it is not cut, and knows itself which of its parts have been on the screen.
 */
export function isCut({ id, preview }: PermissionItem, expansion: Expansion): boolean {
  if (preview.type === "command" || wasOpened(expansion, id)) return false;
  if (preview.type === "json") return (preview.omitted ?? 0) > 0;
  return preview.omitted > 0 || hiddenLines(preview, expansion.isOpen(diffKey(id))) > 0;
}

/** Lines of a change that are there and not shown. `all`: the person has asked for as many as can be shown. */
export function hiddenLines(diff: FileDiff, all: boolean): number {
  return Math.max(0, diff.lines.length - (all ? MOST_LINES : SHOWN_LINES));
}

/** Names what a request is about among what was opened, and among what could not be. */
export function openedKey(request: string): string {
  return `opened:${request}`;
}
