import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { createLiveTeam } from "../../../../src/extension/teams/liveTeam.ts";
import { onlyAddress } from "../../../../src/extension/teams/rememberedTeam.ts";
import type { ShownTeam } from "../../../../src/extension/teams/shownTeam.ts";
import { openStoredTeam } from "../../../../src/extension/teams/storedTeams.ts";
import { PERSON_NAME } from "../../../../src/protocol/names.ts";
import type { Delivery } from "../../../../src/protocol/panel.ts";
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

/** How the message with this text stands in Inboxes. */
function inInbox(team: Pick<ShownTeam, "threads">, text: string): Delivery | undefined {
  const messages = team.threads().flatMap((thread) => thread.messages);
  return messages.find((message) => message.text.includes(text))?.delivery;
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
  await host.until("the inbox", () => inInbox(shown, "Look at the other file.") === "queued" || undefined);
  await using elsewhere = await openStoredTeam(onlyAddress({ root: host.root, kind: "team", folder: "demo" }), {
    models: DEFAULT_MODELS,
    log: silentLogger,
  }).then((team) => ({ team, [Symbol.asyncDispose]: async () => team.dispose() }));
  expect(inInbox(elsewhere.team, "Look at the other file.")).toBe("queued");
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
  await host.until("the mark", () => inInbox(shown, "Look at the other file.") === "read" || undefined);
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

it("a message to a member at work is queued in Inboxes, and read once its run is over", async () => {
  const second = slowly("I am done.");
  await using host = await openTeamHost(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "I wait.", "Fine."),
      alice: script("I rest.", second.answer, "I have read it."),
    }),
    everything,
  );
  const shown = live(host);
  host.session.start("Go.");
  await host.rest();
  await host.session.say("alice", "Begin.");
  await host.until("the request", () => host.count("alice") > 1 || undefined);
  await host.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "And the tests." });
  await host.until("the message", () => inInbox(shown, "And the tests.") === "queued" || undefined);
  second.go();
  await host.until("it to be read", () => inInbox(shown, "And the tests.") === "read" || undefined);
  await host.rest();
  shown.dispose();
});
