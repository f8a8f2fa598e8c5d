import type { MemberRef } from "../src/protocol/panel.ts";
import { LOCALE, t } from "./l10n.ts";

/** How long, in its largest unit: `8 s`, `2 min`, `1 h`, `3 d`. `ms` is never shown below zero. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return t("seconds", seconds);
  if (seconds < 3600) return t("minutes", Math.floor(seconds / 60));
  if (seconds < 86_400) return t("hours", Math.floor(seconds / 3600));
  return t("days", Math.floor(seconds / 86_400));
}

/** A length of time in hours and minutes: `8 s`, `12 min`, `1 h 12 min`, `25 h`. */
export function duration(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const rest = minutes % 60;
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return age(ms);
  return rest === 0 ? t("hours", hours) : t("hoursMinutes", hours, rest);
}

/** How long a tool took: `20 ms`, `0.3 s`, `6.1 s`, `2 min`. */
export function toolTime(ms: number): string {
  if (ms < 100) return t("milliseconds", Math.round(ms));
  return ms < 59_950 ? t("seconds", (ms / 1000).toFixed(1)) : age(Math.max(ms, 60_000));
}

/** `950`, `148k`, `2.1 M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1_000_000).toFixed(1)} M`;
}

/** A size: `12 KB`, `1.4 MB`. */
export function byteCount(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `$3.42`, and `$5` where there are no cents. */
export function dollars(amount: number): string {
  return Number.isInteger(amount) ? `$${amount}` : `$${amount.toFixed(2)}`;
}

/** What was spent, always with cents, and the budget if there is one. */
export function costOf(cost: number, budget: number | null): string {
  const spent = `$${cost.toFixed(2)}`;
  return budget === null ? spent : t("cost", spent, dollars(budget));
}

/** Share of the budget from which on the amount asks for attention. */
const BUDGET_WARNING = 0.8;

/** Whether a team or a member is near the end of its budget, or beyond it. */
export function isNearBudget({ cost, budget }: { cost?: number | null; budget?: number | null }): boolean {
  return cost != null && budget != null && cost >= budget * BUDGET_WARNING;
}

/** Clock time, `14:10`; of another day than today behind its date. */
export function clock(at: number): string {
  return isSameDay(at, Date.now()) ? timeOfDay(at) : `${day(at)} ${timeOfDay(at)}`;
}

/** Whether two times are on one day, where the person is. */
export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** `Nov 29`, with the year where it is not this one. */
export function day(at: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return new Date(at).toLocaleDateString(LOCALE, {
    month: "short",
    day: "numeric",
    ...(!isThisYear && { year: "numeric" }),
  });
}

/** Clock time alone, `14:10`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return `${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
}

/** Date and clock time for hover text, in the person's locale. */
export function moment(at: number): string {
  return new Date(at).toLocaleString();
}

/** At most so many characters of a text, the last one `…` where there are more. */
export function shortened(text: string, most: number): string {
  const characters = [...text]; // whole ones: half of one would be shown as a box
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** The name to show for a member. */
export function nameOf(member: Pick<MemberRef, "displayName" | "role">): string {
  return member.role === "person" ? t("you") : member.displayName;
}

/** The modifier of the keyboard at hand, as key hints name it. */
export function modifierName(): string {
  return /Mac/.test(navigator.userAgent) ? "Cmd" : "Ctrl";
}
