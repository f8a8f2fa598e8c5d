import { describe, expect, it } from "vitest";
import { call } from "../../../../src/demo/script.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, message, script, spawn, task, team, update } from "../../../support/teamScripts.ts";

describe("the lead", () => {
  it("that answers by itself makes no team and waits for the person", async () => {
    await using host = await openTeamHost(team({ "team-lead": script("42.") }));
    host.session.start("What is it?");
    expect(await host.rest()).toEqual({ kind: "at_rest" });
    expect(host.session.team).toBeNull();
    expect(host.session.leadWaits).toBe(true);
    expect(host.count("team-lead")).toBe(1);
  });

  it("is woken once by a team at rest, with one digest, and not again while nothing changes", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice"), spawn("bob")),
          "Waiting.",
          "I have nothing to add.",
        ),
      }),
    );
    host.session.start("Go.");
    expect(await host.rest()).toEqual({ kind: "at_rest" });
    expect(host.count("team-lead")).toBe(4);
    const digest = host.lastSent("team-lead");
    expect(digest).toContain("The team is at rest.");
    expect(digest.match(/alice is idle/g)).toHaveLength(1);
    expect(digest.match(/bob is idle/g)).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.count("team-lead")).toBe(4);
    expect(host.session.leadWaits).toBe(true);
  });

  it("and its members tell other processes how they are, as the members that config.json names", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.") }),
    );
    host.session.start("Go.");
    await host.rest();
    const { members } = await host.store.teams.read("demo");
    const presence = await host.until("presence", async () => {
      const all = await host.store.presence.readAll("demo");
      return [...all.values()].every(({ state }) => state === "idle") && all.size === 2 ? all : undefined;
    });
    for (const { name, muster } of members) {
      expect(presence.get(name)).toMatchObject({ incarnation: muster?.incarnation, pid: process.pid });
    }
  });

  it("is told at once when the last open task is completed, while its member still works", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Only")),
          calls(spawn("alice")),
          "Waiting.",
          "All done, I see.",
        ),
        alice: script(
          "Ready.",
          calls(update("1", { status: "completed" })),
          calls(call("Bash", { command: "sleep 1" })),
          "Finished.",
        ),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.until("the lead's next request", () => (host.count("team-lead") >= 5 ? true : undefined));
    expect(host.lastSent("team-lead")).toContain("All tasks are completed.");
    expect(host.lastSent("team-lead")).toContain("#1 Only (alice)");
    expect(host.session.members().find((member) => member.name === "alice")?.state).toBe("working");
  });

  it("hears at once of a member that failed", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting.", "I see."),
        alice: script({ text: "I will not.", stopReason: "refusal" }),
        bob: script(calls(call("Bash", { command: "sleep 2" })), "Done."),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.until("the lead's next request", () => (host.count("team-lead") >= 4 ? true : undefined));
    expect(host.lastSent("team-lead")).toContain("News of the team.");
    expect(host.lastSent("team-lead")).toContain("alice has failed");
    expect(host.session.members().find((member) => member.name === "bob")?.state).toBe("working");
  });

  it("cannot create tasks or teammates before the team, nor a second team", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(task("Early")),
          calls(spawn("early")),
          calls(createTeam),
          calls(createTeam),
          "So be it.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const results = JSON.stringify(host.server.requests.at(-1)?.request.messages);
    expect(results.match(/Create one with TeamCreate first/g)).toHaveLength(2);
    expect(results).toContain("You already lead the team demo");
  });

  it("in plan mode starts nobody, under either name of the tool", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(call("EnterPlanMode")),
          calls(spawn("alice"), { tool: "Agent", input: { name: "bob", prompt: "Go." }, unlisted: true }),
          "So be it.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const sent = JSON.stringify(host.server.requests.at(-1)?.request.messages);
    expect(sent.match(/In plan mode (Task|Agent) does not run/g)).toHaveLength(2);
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead"]);
  });

  it("starts a teammate by the tool's other name alike", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls({ tool: "Agent", input: { name: "bob", prompt: "Go." }, unlisted: true }),
          "Waiting.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead", "bob"]);
  });

  it("asks the person before a teammate gets a mode that allows more than its own", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice", { mode: "bypassPermissions" })), "So be it."),
      }),
    );
    host.session.start("Go.");
    const request = await host.request();
    expect(request).toMatchObject({ kind: "permission", from: "team-lead", tool: "Task", guarded: true });
    await host.decide(request, { kind: "deny", reason: "Not in this project." });
    await host.rest();
    expect(host.lastSent("team-lead")).toContain("Not in this project.");
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead"]);
  });

  it("has the name that the person gave its team", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice"), spawn("alice")),
          calls(message("*", "Hi")),
          "Done.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(host.session.members().map((member) => [member.name, member.color])).toEqual([
      ["team-lead", null],
      ["alice", "blue"],
      ["alice-2", "green"],
    ]);
    expect(host.session.team).toBe("demo");
  });
});
