import { expect, it } from "vitest";
import { call } from "../../../../src/demo/script.ts";
import { calls, createTeam, script, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

it.each([
  { what: "a team", begin: [calls(createTeam)] },
  { what: "a lead that made no team", begin: [] },
])("of $what only what the person decided is counted as the person's", async ({ begin }) => {
  const asks = (name: string) => calls(call("Bash", { command: `touch ${name}` }));
  const scripts = team({ "team-lead": script(...begin, asks("one"), asks("two"), "Done.") });
  const { host, teams, start } = await windowTeams(scripts);
  await using _ = host;
  await start();
  for (const by of ["person", "policy"] as const) {
    const { id } = await host.request();
    await host.session.requests.decide(id, { kind: "deny" }, by);
    await host.until("the decision", () => host.session.requests.pending.every((request) => request.id !== id));
  }
  await host.rest();
  await teams.end(0);
  expect(teams.current?.state().finished).toMatchObject({ decisions: 1 });
});
