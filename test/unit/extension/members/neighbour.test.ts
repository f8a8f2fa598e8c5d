import { expect, it } from "vitest";
import { neighbourOf } from "../../../../src/extension/members/neighbour.ts";
import type { TeamScreen } from "../../../../src/protocol/panel.ts";

type Shown = Parameters<typeof neighbourOf>[0];

const NAMES = ["team-lead", "alice", "bob"];
const live = { members: NAMES.map((name) => ({ name })), finished: null } as Shown;
const byMember = NAMES.map((name) => ({ member: { name } }));
const finished = { members: [], finished: { byMember } as unknown as TeamScreen["finished"] } as Shown;

it.each([
  ["of a team that runs", live],
  ["of a finished team", finished],
])("the members %s are gone through round and round, from the one that was shown last", (_what, team) => {
  expect(neighbourOf(team, "alice", 1)).toBe("bob");
  expect(neighbourOf(team, "bob", 1)).toBe("team-lead");
  expect(neighbourOf(team, "team-lead", -1)).toBe("bob");
  expect(neighbourOf(team, "alice", -1)).toBe("team-lead");
});

it("the lead is shown where nobody was chosen, or who was is gone", () => {
  for (const shown of [null, "carol"]) {
    expect(neighbourOf(live, shown, 1)).toBe("alice");
    expect(neighbourOf(live, shown, -1)).toBe("bob");
  }
});

it("where there is nobody there is no neighbour", () => {
  expect(neighbourOf({ members: [], finished: null }, "alice", 1)).toBeNull();
});
