import { effect, type ReadonlySignal } from "@preact/signals";
import type { AttentionItem, PanelState, TeamScreen } from "../../src/protocol/panel.ts";
import { costOf, isNearBudget, nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import type { Announcer } from "./announcer.ts";

/** Says what a person who does not look at the view should hear: requests, failures, pauses, the end. Not what was there at first. */
export function announceChanges(panel: ReadonlySignal<PanelState>, announcer: Announcer): void {
  let before: TeamScreen | null = null;
  effect(() => {
    const state = panel.value;
    const now = state.screen === "team" ? state : null;
    if (before && now && before.team === now.team) {
      for (const sentence of changes(before, now)) announcer.say(sentence);
    }
    before = now;
  });
}

function changes(before: TeamScreen, now: TeamScreen): string[] {
  const known = new Set(before.attention.map(({ id }) => id));
  const failed = new Set(before.members.filter(({ state }) => state === "failed").map(({ name }) => name));
  return [
    ...now.attention.filter(({ id }) => !known.has(id)).map(sentenceOf),
    ...before.attention.flatMap((item) => newWarnings(item, now)),
    ...now.members
      .filter(({ state, name }) => state === "failed" && !failed.has(name))
      .map((member) => t("announceFailed", nameOf(member))),
    ...(isNearBudget(now) && !isNearBudget(before) ? [t("announceNear", costOf(now.cost ?? 0, now.budget))] : []),
    ...now.members
      .filter(
        (row) =>
          isNearBudget(row) && !before.members.some(({ name, ...was }) => name === row.name && isNearBudget(was)),
      )
      .map((row) => t("announceNearMember", nameOf(row), costOf(row.cost ?? 0, row.budget ?? null))),
    ...pauseTold(before, now),
    ...(now.finished && !before.finished ? [t("announceFinished")] : []),
  ];
}

function pauseTold({ paused: was }: TeamScreen, { paused: is, finished }: TeamScreen): string[] {
  if (is && !was) return [t(is.by === "budget" ? "teamPausedByBudget" : "teamPaused")];
  return was && !is && !finished ? [t("announceResumed")] : [];
}

/** What a request that waits warns of since a moment ago. */
function newWarnings(was: AttentionItem, { attention }: TeamScreen): string[] {
  const item = attention.find(({ id }) => id === was.id);
  if (was.kind !== "permission" || item?.kind !== "permission") return [];
  return item.warnings.filter((warning) => !was.warnings.includes(warning)).map((text) => `${item.title}: ${text}`);
}

function sentenceOf(item: AttentionItem): string {
  const name = nameOf(item.from);
  if (item.kind === "budget") {
    const cost = costOf(item.spent, item.limit);
    return item.member === null ? t("announceBudget", cost) : t("announceBudgetMember", name, cost);
  }
  if (item.kind === "answer") return t(item.failure ? "announceFailed" : "announceAnswer", name);
  return t(item.kind === "plan" ? "announcePlan" : "announcePermission", name, item.title);
}
