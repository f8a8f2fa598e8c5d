import type { MemberRow } from "../../src/protocol/panel.ts";
import { t } from "../l10n.ts";
import type { IconName } from "../ui/icon.tsx";

const STATE_ICONS: Record<MemberRow["state"], IconName> = {
  starting: "clockface",
  working: "session-in-progress",
  waiting: "bell-dot",
  idle: "circle",
  stopping: "stop-circle",
  suspect: "warning",
  dead: "stop-circle",
  failed: "error",
  unknown: "question",
};

/** The icon of a member: of its state, or of one that stands still in the middle of a run. */
export function shownIcon(row: MemberRow): IconName {
  if (row.waitsForApi) return "clockface";
  return row.paused ? "debug-pause" : STATE_ICONS[row.state];
}

/** The word for how a member is. */
export function shownWord(row: MemberRow): string {
  if (row.waitsForApi) return t("state.waitsForApi");
  return t(row.paused ? "state.paused" : `state.${row.state}`);
}

/** What makes sense for a member in its state. */
export function memberActions(row: MemberRow): Record<"terminal" | "screen" | "interrupt" | "stop", boolean> {
  const gone = row.state === "dead" || row.state === "failed";
  return {
    terminal: row.role === "teammate",
    screen: row.backend === "tmux" && !gone,
    interrupt: (row.state === "working" || row.state === "waiting") && !row.rests,
    stop: row.role === "teammate" && !gone && row.state !== "stopping",
  };
}
