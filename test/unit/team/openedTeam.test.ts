import { expect, it } from "vitest";
import { faultyStore } from "../../support/faultyStore.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, team } from "../../support/teamScripts.ts";

/** What the opening of a team asks of its files. */
const STEPS = ["leads.acquire", "snapshots.read", "transcripts.moveLead"] as const;

it.each(STEPS)("a team that cannot be opened at %s is not there, and the next one of its name is led", async (step) => {
  let failed = false;
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), "It failed.", calls(createTeam), "Ready.", "I hear you.") }),
    {},
    {
      throughStore: (store) =>
        faultyStore(store, (call) => {
          if (failed || call !== step) return false;
          failed = true;
          return true;
        }),
    },
  );
  host.session.start("Go.");
  await host.rest();
  expect(failed).toBe(true);
  expect(host.lastSent("team-lead")).toMatch(/Another program holds the lock.*is_error/);
  expect(host.session.team).toBeNull();
  expect(host.events.filter(({ type }) => type === "team_created")).toEqual([]);
  expect(await host.store.teams.list()).toEqual([]);
  expect(await host.store.leads.read("demo")).toBeNull();
  await host.session.say("team-lead", "Try again.");
  await host.until("the team", () => host.session.team === "demo");
  await host.until("its end of the turn", () => host.lastSent("team-lead").includes("team_file_path"));
  await host.rest();
  await host.session.say("team-lead", "Do you hear me?");
  await host.until("the lead", () => host.lastSent("team-lead").includes("Do you hear me?"));
  expect(await host.store.leads.read("demo")).toMatchObject({ sessionId: host.session.id });
  const records = await host.store.transcripts.read({ team: "demo", agent: "team-lead" });
  expect(JSON.stringify(records)).toContain("It failed.");
});
