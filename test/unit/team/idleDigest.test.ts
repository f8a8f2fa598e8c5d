import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { always, call, type Turn } from "../../../src/demo/script.ts";
import { parseBody } from "../../../src/protocol/messageBody.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../../support/teamScripts.ts";

const IDLE = ["ann", "bob", "cyd", "dan", "eva"];
const ROUNDS = 10;

/** The names of the members that told the lead that they are idle, one for each notice. */
async function idleNotices(host: TeamHost): Promise<string[]> {
  const { entries } = await host.store.inboxes.read("demo", "team-lead");
  return entries.filter(({ text }) => parseBody(text).kind === "idle_notification").map(({ from }) => from);
}

describe("idle members", () => {
  it("do not wake the lead while one works; at rest it gets one digest, a line for each (row 72)", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("busy"), ...IDLE.map((name) => spawn(name))),
          "Waiting.",
          "I have nothing to add.",
        ),
        busy: script(calls(call("Bash", { command: "until [ -e go ]; do sleep 0.05; done" })), "Done."),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.until("busy at work", () => (host.count("busy") === 1 ? true : undefined));
    const stateOf = (name: string) => host.session.members().find((member) => member.name === name)?.state;
    for (let round = 1; round <= ROUNDS; round++) {
      const rested = (name: string) => host.count(name) === round && stateOf(name) === "idle";
      await host.until(`round ${round}`, () => (IDLE.every(rested) ? true : undefined));
      if (round < ROUNDS) for (const name of IDLE) await host.session.say(name, `Look again, ${round}.`);
    }
    const notices = () =>
      host.until("all notices", async () => {
        const all = await idleNotices(host);
        return all.length >= IDLE.length * ROUNDS ? all : undefined;
      });
    for (const name of IDLE) expect((await notices()).filter((from) => from === name)).toHaveLength(ROUNDS);
    expect(host.count("team-lead")).toBe(3);

    await writeFile(path.join(host.cwd, "go"), "");
    expect(await host.rest()).toEqual({ kind: "at_rest" });
    expect(host.count("team-lead")).toBe(4);
    const digest = host.lastSent("team-lead");
    for (const name of ["busy", ...IDLE]) expect(digest.split(`- ${name} is idle`)).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.count("team-lead")).toBe(4);
  });

  it("leave a lead whose conversation was shortened with its team, its tasks and what waits (row 74)", async () => {
    const replies = [
      calls(createTeam),
      calls(task("Write the parser"), task("Write the tests")),
      calls(spawn("alice")),
    ];
    const lead = ({ request: { messages } }: Turn) => {
      const all = JSON.stringify(messages);
      if (all.includes("is about to be shortened")) return "MY NOTES";
      return (all.includes("MY NOTES") ? undefined : replies[(messages.length - 1) / 2]) ?? "Waiting.";
    };
    await using host = await openTeamHost(
      team({
        "team-lead": always(lead),
        alice: script(calls(call("Bash", { command: "curl https://example.com" })), "Done."),
      }),
    );
    host.session.start("The goal.");
    await host.request();
    await host.until("the lead's rest", () =>
      host.session.leadWaits || host.count("team-lead") === 4 ? true : undefined,
    );
    const message = "prompt is too long: 200001 tokens > 200000 maximum";
    host.server.inject({ kind: "status", status: 400, message }, { member: "team-lead" });
    await host.session.say("team-lead", "How far are we?");
    const last = await host.until("the request after the notes", () =>
      host.server.requests
        .filter(({ member }) => member === "team-lead")
        .map(({ request }) => JSON.stringify(request.messages))
        .find((text) => text.includes("MY NOTES")),
    );
    expect(last).not.toContain("The goal.");
    for (const part of ["team-lead", "alice", "Write the parser", "Write the tests", "curl https://example.com"])
      expect(last.slice(last.lastIndexOf("<team-state>"))).toContain(part);
  });
});

it("a message to a member that waits between two tries makes it try again now (row 77)", async () => {
  let endless = false;
  const sleep: Clock["sleep"] = (ms, signal) => systemClock.sleep(endless ? 3_600_000 : ms, signal);
  const clock: Clock = { now: systemClock.now, sleep };
  await using host = await openTeamHost(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting."),
      alice: script("Ready.", "I am here."),
    }),
    {},
    { clock },
  );
  host.session.start("Go.");
  await host.rest();
  endless = true;
  host.server.inject({ kind: "status", status: 529 }, { member: "alice" });
  await host.session.say("alice", "First.");
  const alice = () => host.session.members().find(({ name }) => name === "alice");
  await host.until("alice's wait", () => (alice()?.reason?.includes("The API is overloaded.") ? true : undefined));
  await host.session.say("alice", "Are you there?");
  endless = false; // what sleeps already sleeps on
  await host.until("her answer", () =>
    host.events.some((event) => event.type === "text" && event.text === "I am here."),
  );
});

it("members that the API makes wait say until when and why, each of them, until their next try (row 77)", async () => {
  let late = false; // five minutes have passed
  const clock: Clock = {
    now: () => systemClock.now() + (late ? 300_000 : 0),
    async sleep(ms, signal) {
      if (ms < 200_000) return systemClock.sleep(ms, signal);
      while (!late) await systemClock.sleep(20, signal);
    },
  };
  await using host = await openTeamHost(
    team({
      "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting."),
      alice: script("Ready.", "I am here."),
      bob: script("Ready.", "So am I."),
    }),
    {},
    { clock },
  );
  host.session.start("Go.");
  await host.rest();
  host.server.inject({ kind: "status", status: 429, retryAfterSeconds: 300 }, { member: "alice" });
  const told = (name: string) =>
    host.events.flatMap((event) =>
      event.type === "member_state" && event.member === name && event.reason ? [event.reason] : [],
    );
  await host.session.say("alice", "First.");
  await host.until("alice's wait", () => (told("alice").length > 0 ? true : undefined));
  await host.session.say("bob", "Second.");
  await host.until("bob's wait", () => (told("bob").length > 0 ? true : undefined));
  late = true;
  const said = (text: string) => host.events.some((event) => event.type === "text" && event.text === text);
  await host.until("both answers", () => said("I am here.") && said("So am I."));
  expect(told("alice")[0]).toMatch(/^until \d\d:\d\d:\d\d: The API's rate limit is reached\.$/);
  expect(told("bob")[0]).toMatch(/^until \d\d:\d\d:\d\d: The API takes no requests\.$/);
  await host.rest();
  expect(host.session.members().map(({ reason }) => reason)).toEqual([null, null, null]);
});
