import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { onlyAddress } from "../../../../src/extension/teams/rememberedTeam.ts";
import { deleteStoredTeam, openStoredTeam } from "../../../../src/extension/teams/storedTeams.ts";
import { DEFAULT_SETTINGS } from "../../../../src/team/defaultSettings.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../../../support/teamScripts.ts";

const { models } = DEFAULT_SETTINGS;

it.each([
  { lead: script(calls(createTeam), calls(task("Mend it")), "Hm.") },
  { lead: script(calls(createTeam), calls(task("Mend it"), spawn("alice")), calls(call("TeamDelete")), "Hm.") },
])("a team that the person deleted with open tasks is not called finished", async ({ lead }) => {
  await using host = await openTeamHost(team({ "team-lead": lead, alice: script("Here.") }));
  host.session.start("Go.");
  await host.rest();
  await host.session.end({ graceMs: 0, interrupted: true });
  const address = { root: host.root, kind: "team", folder: "demo" } as const;
  const left = await deleteStoredTeam(address, { keepHistory: true, log: silentLogger });
  const shown = await openStoredTeam(onlyAddress(left ?? address), { models, log: silentLogger });
  expect(shown.state().finished).toMatchObject({ result: "incomplete" });
  shown.dispose();
});
