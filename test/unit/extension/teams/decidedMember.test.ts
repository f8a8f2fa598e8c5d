import { mkdir, rmdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { call } from "../../../../src/demo/script.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

it("a member waits for the person no more once it is decided, however long the files of the decision take", async () => {
  const lead = script(calls(createTeam), calls(spawn("alice")), "I wait.");
  const alice = script(calls(call("Bash", { command: "touch a" })), "Done.");
  const { host, live, start } = await windowTeams(team({ "team-lead": lead, alice }));
  await using _ = host;
  await start();
  const request = await host.request(({ from }) => from === "alice");
  const row = () => live.state().members.find(({ name }) => name === "alice");
  expect(row()).toMatchObject({ state: "waiting", detail: "Run touch a", waiting: 1 });
  const lock = `${host.store.paths.team("demo").inbox("alice")}.lock`;
  await mkdir(lock); // another process writes to its inbox, where the answer goes
  const shown: unknown[] = [];
  live.onDidChange(() => shown.push(row()?.state));
  const deciding = host.decide(request, { kind: "allow", scope: "once" });
  await host.until("that it was told", () => shown.length > 0);
  expect(row()).toMatchObject({ state: "working", waiting: 0 });
  expect(row()?.waitsForApi).toBeUndefined();
  expect(live.state().attention).toEqual([]);
  await rmdir(lock);
  await deciding;
  await host.rest();
  expect(shown).not.toContain("waiting");
  live.dispose();
});
