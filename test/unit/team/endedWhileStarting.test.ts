import { expect, it } from "vitest";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

it("a teammate of this process that is ended in the middle of its start does not run, and its lead is told", async () => {
  const opening = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I see."), alice: script("Here.") }),
    {},
    {
      throughStore: (store) => ({
        ...store,
        get process() {
          return store.process;
        },
        inboxes: {
          ...store.inboxes,
          async read(folder, agent) {
            if (agent === "alice") {
              opening.resolve();
              await goOn.promise;
            }
            return store.inboxes.read(folder, agent);
          },
        },
      }),
    },
  );
  host.session.start("Go.");
  await opening.promise;
  const ended = host.session.endMember("alice", "no time");
  goOn.resolve();
  await ended;
  await host.rest();
  expect(host.lastSent("team-lead")).toMatch(/alice was ended while it was started/);
  expect(host.count("alice")).toBe(0);
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
  await host.store.inboxes.settled();
  expect((await host.store.inboxes.read("demo", "alice")).entries).toEqual([]);
});
