import { expect, it } from "vitest";
import type { TeamAddress } from "../../../../src/extension/teams/shownTeam.ts";
import { teamKeys } from "../../../../src/extension/teams/teamKeys.ts";
import type { MemberRow } from "../../../../src/protocol/panel.ts";
import { shownTeam } from "../../../support/shownTeam.ts";

const address = (kind: TeamAddress["kind"]): TeamAddress => ({ root: "/r", kind, folder: "demo" });
const keys = (kind: TeamAddress["kind"] | null, isLive = false) =>
  teamKeys({ state: shownTeam().state(), address: kind && address(kind) }, isLive);

it("a team can be deleted where its files are there and this window does not run it; its history cannot", () => {
  expect(keys("team").canDelete).toBe(true);
  expect(keys("team", true).canDelete).toBe(false);
  expect(keys("finished").canDelete).toBe(false);
  expect(keys("lead").canDelete).toBe(false);
  expect(keys(null).canDelete).toBe(false);
  expect(teamKeys(null, false)).toMatchObject({ canDelete: false, hasTeam: false, live: false, waiting: 0 });
});

it("a screen can be shown of a member in a tmux pane, while this window runs the team and the member has not ended", () => {
  const screens = (backend: MemberRow["backend"], state: MemberRow["state"], isLive = true) => {
    const members = [{ name: "alice", role: "teammate", backend, state } as MemberRow];
    return teamKeys({ state: { ...shownTeam().state(), members }, address: null }, isLive);
  };
  expect(screens("tmux", "idle")).toMatchObject({ hasScreens: true, hasTeammates: true });
  expect(screens("tmux", "idle", false)).toMatchObject({ hasScreens: false, hasTeammates: false });
  expect(screens("tmux", "dead").hasScreens).toBe(false);
  expect(screens("in-process", "idle").hasScreens).toBe(false);
});
