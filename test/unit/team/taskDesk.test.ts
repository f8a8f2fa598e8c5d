import { describe, expect, it } from "vitest";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team, update } from "../../support/teamScripts.ts";

/** A team of which alice has task 1 in progress, if she is to; tasks 2 (after 1) and 3 are nobody's. */
function crew(aliceStarts: boolean) {
  const begin = aliceStarts ? [calls(update("1", { status: "in_progress" }))] : [];
  return team({
    "team-lead": script(
      calls(createTeam),
      calls(task("First"), task("Second"), task("Third")),
      calls(update("2", { addBlockedBy: ["1"] })),
      calls(spawn("alice"), spawn("bob")),
      "Waiting.",
    ),
    alice: script(...begin, "Ready.", "I see.", "I see.", "I see.", "I see."),
    bob: script("Ready.", "I see.", "I see.", "I see.", "I see."),
  });
}

describe("the person's hand on the tasks", () => {
  it("gives a task to a member, who is told in the person's own words, and takes it from another", async () => {
    await using host = await openTeamHost(crew(true), { autoClaim: false });
    host.session.start("Go.");
    await host.rest();
    await host.session.tasks.assign("1", "bob");
    await host.until("bob's run", () => host.lastSent("bob").includes("Task #1 is yours now: First"));
    await host.until("alice's run", () => host.lastSent("alice").includes("Task #1 is not yours any more"));
    const graph = await host.store.tasks.list("demo");
    expect([graph.tasks.get("1")?.owner, graph.tasks.get("1")?.status]).toEqual(["bob", "pending"]);
    const [told] = (await host.store.inboxes.read("demo", "bob")).entries.slice(-1);
    expect(told?.from).toBe("user");
    await host.session.tasks.assign("2", "bob");
    await host.until("bob's second run", () => host.lastSent("bob").includes("It waits for #1"));
    const count = host.count("bob");
    await host.session.tasks.assign("2", null);
    expect((await host.store.tasks.get("demo", "2")).owner).toBeUndefined();
    await host.rest();
    expect(host.count("bob")).toBe(count);
  });

  it("changes a task, and tells who works on it; creates one", async () => {
    await using host = await openTeamHost(crew(true), { autoClaim: false });
    host.session.start("Go.");
    await host.rest();
    await host.session.tasks.edit("1", { subject: "First of all" });
    await host.until("alice's run", () => host.lastSent("alice").includes("It is now: First of all"));
    const made = await host.session.tasks.create({ subject: "Fourth", description: "All of it." });
    expect([made.id, made.status, made.owner]).toEqual(["4", "pending", undefined]);
    expect((await host.store.tasks.get("demo", "4")).description).toBe("All of it.");
  });

  it("deletes a task and brings it back, with what it held back", async () => {
    await using host = await openTeamHost(crew(true), { autoClaim: false });
    host.session.start("Go.");
    await host.rest();
    await host.session.tasks.remove("1");
    await host.until("alice's run", () => host.lastSent("alice").includes("Task #1 (First) was deleted"));
    expect((await host.session.tasks.deleted()).map(({ id }) => id)).toEqual(["1"]);
    await host.session.tasks.restore("1");
    const back = await host.store.tasks.get("demo", "1");
    expect([back.owner, back.status, back.blocks]).toEqual(["alice", "pending", ["2"]]);
    await expect(host.session.tasks.restore("1")).rejects.toMatchObject({ reason: "unknown_task" });
  });

  it("has nothing to do before there is a team, and gives nothing to who is not there", async () => {
    await using host = await openTeamHost(crew(false), { autoClaim: false });
    await expect(host.session.tasks.create({ subject: "x", description: "" })).rejects.toMatchObject({
      reason: "not_ready",
    });
    host.session.start("Go.");
    await host.rest();
    await expect(host.session.tasks.assign("1", "carol")).rejects.toMatchObject({ reason: "unknown_member" });
  });
});
