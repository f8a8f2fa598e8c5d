import { describe, expect, it } from "vitest";
import { call } from "../../../src/demo/script.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import {
  agreeable,
  calls,
  createTeam,
  script,
  shutdownId,
  spawn,
  task,
  team,
  update,
} from "../../support/teamScripts.ts";

const askToStop = (recipient: string) =>
  call("SendMessage", { type: "shutdown_request", recipient, content: "All done." });

describe("shutting down", () => {
  it("takes the member away, releases its tasks and tells the lead", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Left")),
          calls(spawn("alice")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          "Gone.",
        ),
        alice: script("Ready.", calls(update("1", { status: "in_progress" })), "I stop here.", agreeable),
      }),
    );
    host.session.start("Go.");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    await host.rest();
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead"]);
    expect((await host.store.teams.read("demo")).members.map((member) => member.name)).toEqual(["team-lead"]);
    expect((await host.store.tasks.list("demo")).tasks.get("1")).toMatchObject({ status: "pending" });
    expect((await host.store.tasks.list("demo")).tasks.get("1")?.owner ?? "").toBe("");
    const told = JSON.stringify(host.server.requests.findLast((record) => record.member === "team-lead")?.request);
    expect(told).toContain("alice has shut down. 1 task(s) were unassigned: #1");
    const { entries } = await host.store.inboxes.read("demo", "team-lead");
    expect(JSON.parse(entries.at(-1)?.text ?? "{}")).toMatchObject({
      type: "shutdown_approved",
      from: "alice",
      paneId: "in-process",
      backendType: "in-process",
    });
  });

  it("can be refused with a reason, which the lead reads", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          "I see.",
        ),
        alice: script("Ready.", (turn) =>
          calls(
            call("SendMessage", {
              message: {
                type: "shutdown_response",
                request_id: shutdownId(turn),
                approve: false,
                reason: "Still at #3.",
              },
            }),
          ),
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(JSON.stringify(host.server.requests)).toContain("Still at #3.");
    expect(host.session.members().map((member) => member.name)).toEqual(["team-lead", "alice"]);
  });

  it("is what TeamDelete waits for: it refuses while a teammate lives, and changes nothing", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          calls(call("TeamDelete")),
          "Waiting.",
          calls(askToStop("alice")),
          "Asked.",
          calls(call("TeamDelete")),
          "All is well.",
        ),
      }),
    );
    host.session.start("Go.");
    const rest = await host.rest();
    expect(rest.kind).toBe("deleted");
    const early = host.server.requests.find((record) => JSON.stringify(record.request).includes("alice still live"));
    expect(early?.member).toBe("team-lead");
    await expect(host.store.teams.read("demo")).rejects.toMatchObject({ reason: "unknown_team" });
    const summary = await host.session.summary(false);
    expect(summary).toMatchObject({ result: "completed", text: "All is well." });
    expect(summary.history).toMatch(/^demo-\d{8}-\d{6}/);
    const kept = await host.store.transcripts.read({ finished: summary.history ?? "", agent: "team-lead" });
    expect(JSON.stringify(kept)).toContain("All is well.");
  });

  it("by the person goes the same way", async () => {
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Nothing to add.") }),
    );
    host.session.start("Go.");
    await host.rest();
    await host.session.askToStop("alice", "Thank you.");
    await host.until("alice's leaving", () => host.events.find((event) => event.type === "member_left"));
    expect(host.events.find((event) => event.type === "member_left")).toMatchObject({
      member: "alice",
      reason: "shutdown",
    });
  });
});

describe("the end of a session", () => {
  it("asks every member, then ends the ones that do not answer in time; the files stay", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice"), spawn("bob")), "Waiting.", "Nothing to add."),
        bob: script("Ready.", calls(call("Bash", { command: "sleep 30" }))),
      }),
      { permissionMode: "bypassPermissions" },
    );
    host.session.start("Go.");
    await host.rest();
    const summary = await host.session.end({ graceMs: 1_000, interrupted: false });
    expect(summary.result).toBe("completed");
    const left = host.events.filter((event) => event.type === "member_left");
    expect(left).toMatchObject([{ member: "alice", reason: "shutdown" }, { member: "bob" }]);
    expect((await host.store.teams.read("demo")).members.map((member) => member.name)).toEqual(["team-lead"]);
  });
});
