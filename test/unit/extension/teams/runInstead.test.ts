import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { runInstead } from "../../../../src/extension/teams/runInstead.ts";
import { prepareApiTeam, workplaceOf } from "../../../../src/extension/teams/startTeam.ts";
import { startPortsOf } from "../../../support/startPorts.ts";
import { calls, createTeam, script, team } from "../../../support/teamScripts.ts";
import { readyTeam, windowTeams } from "../../../support/windowTeams.ts";

const asks = () => team({ "team-lead": script("Which one?") });

async function damage(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "{ no JSON");
}

it("leaves the team that runs alone where the other cannot start: its rules are damaged, or its folder is gone", async () => {
  const { host, live, teams, start } = await windowTeams(asks());
  await using _ = host;
  await start();
  const ports = startPortsOf(join(host.store.paths.root, "other"));
  const end = () => teams.end(0);
  const gone = join(host.cwd, "gone");
  await expect(runInstead(teams, () => prepareApiTeam("Go.", gone, ports), end)).rejects.toThrow();
  expect(teams.live).toBe(live);
  await damage(host.store.paths.workspaceSettings(host.cwd));
  const damaged = runInstead(teams, () => prepareApiTeam("Go.", host.cwd, ports), end);
  await expect(damaged).rejects.toMatchObject({ reason: "corrupt" });
  expect(teams.live).toBe(live);
  await teams.end(0);
});

it("ends the one that runs, and then runs the other", async () => {
  const [first, second] = [await windowTeams(asks()), await readyTeam(asks())];
  await using _first = first.host;
  await using _second = second.host;
  await first.start();
  const { teams } = first;
  await runInstead(
    teams,
    async () => second.ready,
    () => teams.end(0),
  );
  expect(teams.live).toBe(second.live);
  await teams.end(0);
});

it("lets go of the other where the one that runs does not end", async () => {
  const [first, second] = [await windowTeams(asks()), await readyTeam(asks())];
  await using _first = first.host;
  await using _second = second.host;
  await first.start();
  const makeRoom = async () => {
    throw new Error("It does not end.");
  };
  await expect(runInstead(first.teams, async () => second.ready, makeRoom)).rejects.toThrow("It does not end.");
  expect([first.teams.live, second.closed.times]).toEqual([first.live, 1]);
  await first.teams.end(0);
});

it("says of a team elsewhere that its settings are damaged before anybody is asked to give it up", async () => {
  const { host, teams, start } = await windowTeams(team({ "team-lead": script(calls(createTeam), "Which one?") }));
  await using _ = host;
  await start();
  await host.rest();
  const { root } = host.store.paths;
  const address = { root, kind: "team", folder: host.session.team ?? "" } as const;
  expect(await workplaceOf(address, silentLogger)).toMatchObject({ scripted: false });
  await damage(host.store.paths.workspaceSettings(host.cwd));
  await expect(workplaceOf(address, silentLogger)).rejects.toMatchObject({ reason: "corrupt" });
  await teams.end(0);
});
