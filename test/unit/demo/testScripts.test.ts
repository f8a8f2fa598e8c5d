import { afterEach, expect, it } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../../src/demo/messagesServer.ts";
import type { ScriptedTeam } from "../../../src/demo/script.ts";
import { listeningTeam } from "../../support/scripts/answeringTeam.ts";
import { silentTeam } from "../../support/scripts/silentTeam.ts";
import { type Tabletop, tabletop } from "../../support/tabletopTeam.ts";

let server: MessagesServer | undefined;
afterEach(() => server?.close());

async function setUp(script: ScriptedTeam): Promise<Tabletop> {
  server = await startMessagesServer(script);
  return tabletop(server.url, "/nowhere", { plan: async () => null, command: async () => null });
}

const requestsOf = (member: string) => server!.requests.filter((record) => record.member === member);

it("the silent team works, says nothing, and its lead adds nothing when the team rests", async () => {
  const team = await setUp(silentTeam({ tasks: false }));
  await team.play("Be quiet.");
  expect(server!.failures).toEqual([]);
  expect(requestsOf("team-lead").at(-1)!.stepName).toBe("told that the team rests");
  expect(team.log.filter((line) => line.includes("SendMessage"))).toEqual([]);
});

it("the silent team's teammates complete their tasks, and agree to stop", async () => {
  const team = await setUp(silentTeam());
  await team.play("Be quiet.");
  expect(server!.failures).toEqual([]);
  expect(team.tasks.map((task) => task.status)).toEqual(["completed", "completed"]);
  for (const name of ["ann", "ben"]) {
    team.say(
      name,
      '<teammate-message teammate_id="team-lead">\n{"type":"shutdown_request","requestId":"shutdown-1@' +
        name +
        '"}\n</teammate-message>',
    );
    await expect.poll(() => team.members.get(name)!.gone).toBe(true);
  }
});

it("the listening team answers each message once", async () => {
  const team = await setUp(listeningTeam(["ann"]));
  await team.play("Listen.");
  const before = requestsOf("ann").length;
  team.say("ann", "Hello.");
  await expect.poll(() => requestsOf("ann").length).toBe(before + 1);
});
