import { expect, test } from "vitest";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../../support/teamScripts.ts";

test("why a session ended is told in sentences with stops between them", async () => {
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob"), task("First")), "Done.") }),
  );
  host.session.start("Go.");
  await host.rest();
  await host.session.failMember("alice", "its process in tmux ended");
  await host.session.failMember("bob", "No plan was approved.");
  expect((await host.session.summary(false)).reason).toBe(
    "alice failed: its process in tmux ended. bob failed: No plan was approved. Open tasks: #1 First",
  );
});
