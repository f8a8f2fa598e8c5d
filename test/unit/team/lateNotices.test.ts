import { describe, expect, it } from "vitest";
import { call } from "../../../src/demo/script.ts";
import { openTeamHost, type TeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

describe("news of a member that waits for the lead", () => {
  it("is dropped with its team, and wakes nobody (row 55)", async () => {
    let host: TeamHost | undefined;
    const aliceLeft = () => host?.events.some((event) => event.type === "member_left");
    await using opened = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(spawn("alice")),
          "Waiting.",
          calls(call("SendMessage", { type: "shutdown_request", recipient: "alice", content: "All done." })),
          async () => {
            await host?.until("alice to leave", aliceLeft); // the lead's run goes on: its news waits
            return calls(call("TeamDelete", {}));
          },
          "The team is gone.",
          "I am here.",
        ),
        alice: script("Ready."),
      }),
    );
    host = opened;
    host.session.start("Go.");
    await host.rest();
    await host.session.say("team-lead", "Finish.");
    await host.until("the end of the team", () => opened.events.some((event) => event.type === "team_deleted"));
    await host.until("the lead's last words", () => opened.count("team-lead") === 6);
    await host.rest();
    expect(host.count("team-lead")).toBe(6);
    await host.session.say("team-lead", "Are you there?");
    await host.until("its answer", () => opened.count("team-lead") === 7);
    const sent = JSON.stringify(
      host.server.requests.findLast(({ member }) => member === "team-lead")?.request.messages,
    );
    expect(sent).toContain("Are you there?");
    expect(sent).not.toContain("alice has shut down");
  });
});
