import type { MemberRow } from "../../protocol/panel.ts";
import type { MemberState } from "../../protocol/team.ts";
import type { Say } from "../displayLanguage.ts";

/** How a state is shown: its icon, the colour of the icon where the state has one of its own, and its word. */
export interface StateLook {
  icon: string;
  color: "list.warningForeground" | "list.errorForeground" | null;
  word: string;
}

const STATE_LOOKS: Readonly<Record<MemberState, StateLook>> = {
  starting: { icon: "clockface", color: null, word: "Starting" },
  working: { icon: "session-in-progress", color: null, word: "Working" },
  waiting: { icon: "bell-dot", color: "list.warningForeground", word: "Needs you" },
  idle: { icon: "circle", color: null, word: "Idle" },
  stopping: { icon: "stop-circle", color: null, word: "Stopping" },
  suspect: { icon: "warning", color: null, word: "Not answering" },
  dead: { icon: "stop-circle", color: null, word: "Ended" },
  failed: { icon: "error", color: "list.errorForeground", word: "Failed" },
  unknown: { icon: "question", color: null, word: "Unknown" },
};

const PAUSED: StateLook = { icon: "debug-pause", color: null, word: "Paused" };

const WAITS_FOR_API: StateLook = { icon: "clockface", color: null, word: "Waiting" };

/** How a member is shown: by its state, or as one that stands still in the middle of a run. */
export function lookOf(member: MemberRow): StateLook {
  if (member.waitsForApi) return WAITS_FOR_API;
  return member.paused ? PAUSED : STATE_LOOKS[member.state];
}

/** Whether a run of this member goes on, so that there is something to interrupt. */
export function runs({ state, rests = false }: MemberRow): boolean {
  return (state === "working" || state === "waiting") && !rests;
}

/** Whether there is a tmux pane whose text can be shown. */
export function hasScreen({ backend, state }: MemberRow): boolean {
  return backend === "tmux" && state !== "dead" && state !== "failed";
}

/** `148k`, `2.1 M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_500 ? `${Math.round(tokens / 1_000)}k` : `${(tokens / 1_000_000).toFixed(1)} M`;
}

/** State and what is behind it, in a line of the display language. */
export function memberLine(member: MemberRow, say: Say): string {
  return [say(lookOf(member).word), member.detail].filter((part) => part !== "").join(" · ");
}

/** The theme colour that stands for a member's colour. */
export function themeColor(color: string | null): string | null {
  return (color !== null && Object.hasOwn(THEME_COLORS, color) && THEME_COLORS[color]) || null;
}

const THEME_COLORS: Readonly<Record<string, string>> = {
  blue: "charts.blue",
  green: "charts.green",
  yellow: "charts.yellow",
  purple: "charts.purple",
  orange: "charts.orange",
  red: "charts.red",
  pink: "terminal.ansiBrightMagenta",
  cyan: "terminal.ansiCyan",
};
