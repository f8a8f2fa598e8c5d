import type { FileDiff, PermissionItem } from "../../src/protocol/panel.ts";
import type { Expansion } from "./expansion.ts";

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

/** The person opens what a request is about beside the panel, whole, or has all of it on the screen. */
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

function openedKey(request: string): string {
  return `opened:${request}`;
}
