import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { sayState } from "../../../../src/extension/panel/sayPanel.ts";
import { createLiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import type { TeamSettings } from "../../../../src/team/types.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { script, team } from "../../../support/teamScripts.ts";

/** What the panel says of the budgets of a lead that has answered once. */
async function noteOf(settings: Partial<TeamSettings>): Promise<string | undefined> {
  await using host = await openTeamHost(team({ "team-lead": script("Done.") }), settings);
  const parts = { goal: "Go.", past: null, models: DEFAULT_MODELS, log: silentLogger, readFile: async () => null };
  const live = createLiveTeam({ ...parts, session: host.session, store: host.store });
  host.session.start("Go.");
  await host.rest();
  const { budgetNote } = sayState(live.state(), (sentence) => sentence);
  live.dispose();
  return budgetNote;
}

it("a budget says plainly that it does not count a model whose price is not known, and what to do", async () => {
  for (const budget of [
    { team: 5, member: null },
    { team: null, member: 1 },
  ]) {
    const note = await noteOf({ model: "claude-next", budget });
    expect(note).toContain("What claude-next costs is not known");
    expect(note).toContain("muster.models");
  }
});

it("nothing is said without a budget, or where every model has a price", async () => {
  expect(await noteOf({ model: "claude-next", budget: { team: null, member: null } })).toBeUndefined();
  expect(await noteOf({ model: "sonnet", budget: { team: 5, member: null } })).toBeUndefined();
});
