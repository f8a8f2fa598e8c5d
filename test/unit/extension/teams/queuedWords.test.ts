import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { createLiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import { PERSON_NAME } from "../../../../src/protocol/names.ts";
import { DEFAULT_MODELS } from "../../../../src/team/limits/models.ts";
import { openTeamHost, type TeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../../support/teamScripts.ts";

const parts = { goal: "Go.", past: null, models: DEFAULT_MODELS, log: silentLogger, readFile: async () => null };
const live = (host: TeamHost) => createLiveTeam({ ...parts, session: host.session, store: host.store });
const everything = { permissionMode: "bypassPermissions" } as const;
const IMAGE = { type: "image" as const, source: { type: "base64", media_type: "image/png", data: "AAAA" } };

/** A reply that comes when the test says so. */
function slowly(reply: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer = async () => {
    await promise;
    return reply;
  };
  return { answer, go: resolve };
}

it("words to a member of a paused team are queued at once, and in its conversation once it has read them", async () => {
  await using host = await openTeamHost(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait.", "Fine."),
      alice: script(calls(call("Bash", { command: "sleep 600" })), "I have read it."),
    }),
    everything,
  );
  const shown = live(host);
  host.session.start("Go.");
  await host.until("the command", () =>
    host.events.find((event) => event.type === "tool_start" && event.name === "Bash"),
  );
  await host.session.pauses.pause();
  await host.session.say("alice", "Look at the other file.", [IMAGE]);
  await host.store.inboxes.send("demo", { from: PERSON_NAME, to: ["alice"], text: "I am the person, too." });
  await host.until("the words", () => shown.queued("alice").length > 0 || undefined);
  const image = { mediaType: "image/png", bytes: 1_024 };
  expect(shown.queued("alice")).toMatchObject([{ text: "Look at the other file.", images: [image] }]);
  expect(JSON.stringify(shown.queued("alice"))).not.toContain("I am the person");
  const inConversation = async () =>
    JSON.stringify((await shown.conversation("alice")).items).split("Look at the other file.").length - 1;
  expect(await inConversation()).toBe(0);
  await host.session.pauses.resume();
  await host.until("it to be read", async () => {
    const [read, queued] = [await inConversation(), shown.queued("alice").length];
    expect(read + queued).toBeLessThanOrEqual(1); // never twice
    return read === 1 || undefined;
  });
  expect(shown.queued("alice")).toEqual([]);
  expect(shown.queued("nobody")).toEqual([]);
  shown.dispose();
});

it("so are words to a lead that is busy and has no team yet", async () => {
  const first = slowly("I am done.");
  await using host = await openTeamHost(team({ "team-lead": script(first.answer, "I have read it.") }));
  const shown = live(host);
  host.session.start("Go.");
  await host.until("the request", () => host.count("team-lead") > 0 || undefined);
  await host.session.say("team-lead", "And the tests.");
  expect(shown.queued("team-lead")).toMatchObject([{ text: "And the tests." }]);
  first.go();
  await host.rest();
  expect(shown.queued("team-lead")).toEqual([]);
  expect(JSON.stringify((await shown.conversation("team-lead")).items)).toContain("And the tests.");
  shown.dispose();
});
