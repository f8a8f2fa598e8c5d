import type { TeamScreen } from "../../protocol/panel.ts";
import type { ContextKeys } from "../contextKeys.ts";
import { hasScreen } from "../members/memberWords.ts";
import type { TeamAddress } from "./shownTeam.ts";

type TeamKeys = Pick<
  ContextKeys,
  "hasTeam" | "canContinue" | "live" | "hasTeammates" | "hasScreens" | "canDelete" | "waiting" | "paused"
>;

/** What the team on show lets the person do. `isLive`: this window runs it. */
export function teamKeys(shown: { state: TeamScreen; address: TeamAddress | null } | null, isLive: boolean): TeamKeys {
  const state = shown?.state;
  const members = isLive ? (state?.members ?? []) : [];
  return {
    hasTeam: state !== undefined,
    canContinue: state?.canContinue ?? false,
    live: isLive,
    hasTeammates: members.some(({ role }) => role === "teammate"),
    hasScreens: members.some(hasScreen),
    canDelete: !isLive && shown?.address?.kind === "team", // of one that was deleted only its history is left
    waiting: state?.attention.length ?? 0,
    paused: state?.paused !== undefined,
  };
}
