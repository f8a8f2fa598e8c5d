import { describe, expect, it } from "vitest";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, team } from "../../support/teamScripts.ts";

const crew = team({
  "team-lead": script(calls(createTeam), "Waiting.", "I see.", "I see."),
  alice: script("Ready.", "I see."),
});

describe("a teammate that the person adds", () => {
  it("runs with its prompt in the mode that the person chose, and the lead is told", async () => {
    await using host = await openTeamHost(crew);
    host.session.start("Go.");
    await host.rest();
    expect(host.session.backends).toEqual(["in-process"]);
    const name = await host.session.spawn({ name: "alice", prompt: "Look at the tests.", mode: "acceptEdits" });
    expect(name).toBe("alice");
    await host.until("alice's run", () => host.sent("alice")[0]?.includes("Look at the tests."));
    expect(host.session.members().find((member) => member.name === "alice")).toMatchObject({
      mode: "acceptEdits",
      backend: "in-process",
    });
    await host.until("the lead's news", () =>
      host.sent("team-lead").some((text) => text.includes("The person has added the teammate alice.")),
    );
  });

  it("needs a team, and a name that can be one", async () => {
    await using host = await openTeamHost(crew);
    await expect(host.session.spawn({ name: "alice", prompt: "x" })).rejects.toMatchObject({ reason: "not_ready" });
    host.session.start("Go.");
    await host.rest();
    await expect(host.session.spawn({ name: "team-lead", prompt: "x" })).rejects.toMatchObject({ reason: "bad_name" });
  });
});
