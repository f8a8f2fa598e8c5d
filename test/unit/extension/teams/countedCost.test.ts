import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { createLiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import type { TeamSettings } from "../../../../src/team/types.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

/** What a team cost whose lead has a price, and whose teammate, if it has a model of its own, has none. */
async function costs(budget: TeamSettings["budget"], model?: string) {
  const lead = script(calls(createTeam), calls(spawn("alice", model === undefined ? {} : { model })), "Done.");
  await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Done.") }), { budget });
  const parts = { goal: "Go.", past: null, models: DEFAULT_MODELS, log: silentLogger, readFile: async () => null };
  const live = createLiveTeam({ ...parts, session: host.session, store: host.store });
  host.session.start("Go.");
  await host.rest();
  const { cost, members } = live.state();
  const counted = host.session.budgets.team?.spent;
  live.dispose();
  return { cost, counted, lead: members[0]?.cost, alice: members[1]?.cost };
}

it("a budget shows what it counts, so that it warns before it pauses, also where a model has no price", async () => {
  const { cost, counted, lead, alice } = await costs({ team: 5, member: 1 }, "claude-next");
  expect(counted).toBeGreaterThan(0);
  expect(cost).toBe(counted);
  expect(lead).toBe(counted);
  expect(alice).toBeUndefined();
});

it("without a budget nothing is shown that is not all of it", async () => {
  expect((await costs({ team: null, member: null }, "claude-next")).cost).toBeNull();
  expect((await costs({ team: null, member: null })).cost).toBeGreaterThan(0);
});
