import { join } from "node:path";
import { expect, it } from "vitest";
import { startMessagesServer } from "../../../../src/demo/messagesServer.ts";
import { prepareApiTeam } from "../../../../src/extension/teams/startTeam.ts";
import { startPortsOf } from "../../../support/startPorts.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { script, team } from "../../../support/teamScripts.ts";

it("a wrong address of the API that is mended in the settings counts for the next try of the team that runs", async () => {
  await using host = await openTeamHost(team({}));
  const server = await startMessagesServer(team({ "team-lead": script("It works.") }));
  const address = { now: `${server.url}/wrong` };
  const ports = startPortsOf(join(host.store.paths.root, "other"), () => address.now);
  const ready = await prepareApiTeam("Go.", host.cwd, ports);
  const { session, state } = ready.team;
  try {
    await ready.begin();
    const failed = await host.until("the failure", () => state().attention[0]);
    expect(failed).toMatchObject({ failure: "server", text: expect.stringContaining("base URL") });
    address.now = server.url;
    await session.say("team-lead", "Try again.");
    await host.until("the answer", () =>
      state().attention.some((item) => item.kind === "answer" && item.text === "It works."),
    );
  } finally {
    await session.end({ graceMs: 0, interrupted: false });
    ready.team.dispose();
    await ready.close();
    await server.close();
  }
});
