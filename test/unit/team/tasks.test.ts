import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { call, steps } from "../../../src/demo/script.ts";
import type { Store } from "../../../src/store/store.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team, update } from "../../support/teamScripts.ts";

describe("an idle teammate", () => {
  it("takes the lowest free task by itself, and is prompted with it", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(task("First"), task("Second")), calls(spawn("alice")), "Waiting."),
        alice: script(
          "Ready.",
          calls(update("1", { status: "completed" })),
          "One done.",
          calls(update("2", { status: "completed" })),
          "Two done.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const prompts = host.server.requests
      .filter((record) => record.member === "alice")
      .map((record) => JSON.stringify(record.request.messages));
    expect(prompts[1]).toContain("Task #1: First");
    expect(prompts.at(-1)).toContain("Task #2: Second");
    const graph = await host.store.tasks.list("demo");
    expect([...graph.tasks.values()].map((item) => [item.owner, item.status])).toEqual([
      ["alice", "completed"],
      ["alice", "completed"],
    ]);
  });

  it("takes nothing that is blocked, owned, or that needs a tool it lacks (rows 62, 65)", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Owned"), task("Blocked"), {
            tool: "TaskCreate",
            input: { subject: "Edits", description: "x", metadata: { muster: { needs: ["Edit"] } } },
          }),
          calls(update("1", { owner: "team-lead" }), update("2", { addBlockedBy: ["1"] })),
          calls(spawn("reader", { subagent_type: "Explore" })),
          "Waiting.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const graph = await host.store.tasks.list("demo");
    expect([...graph.tasks.values()].filter((item) => item.owner === "reader")).toEqual([]);
  });

  it("is woken when a task of its own becomes free, without an inbox entry", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": steps(
          [
            calls(createTeam),
            calls(task("Base"), task("Top")),
            calls(update("2", { addBlockedBy: ["1"] }), update("1", { owner: "team-lead", status: "in_progress" })),
            calls(spawn("alice")),
            calls(update("2", { owner: "alice" })),
          ],
          (turn) => (turn.incoming.text.includes("Finish") ? calls(update("1", { status: "completed" })) : "Waiting."),
        ),
      }),
      { autoClaim: false },
    );
    host.session.start("Go.");
    await host.rest();
    const inbox = (await host.store.inboxes.read("demo", "alice")).entries.length;
    const requests = host.count("alice");
    await host.session.say("team-lead", "Finish your part.");
    await host.until("alice's run", () => (host.count("alice") > requests ? true : undefined));
    expect(host.lastSent("alice")).toContain("Task #2: Top");
    expect((await host.store.inboxes.read("demo", "alice")).entries).toHaveLength(inbox);
  });

  it("works from the start of its claim: the team is not at rest between the claim's write and its run", async () => {
    const written = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const throughStore = (store: Store): Store => ({
      ...store,
      tasks: {
        ...store.tasks,
        async claim(...given) {
          const claimed = await store.tasks.claim(...given);
          written.resolve();
          await looked.promise;
          return claimed;
        },
      },
    });
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          ...[calls(createTeam), calls(spawn("alice")), "Waiting.", "All idle."],
          ...[calls(task("One more")), "Made.", "Done."],
        ),
        alice: script("Ready.", calls(update("1", { status: "completed" })), "Completed."),
      }),
      {},
      { throughStore },
    );
    host.session.start("Go.");
    await host.rest();
    await host.session.say("team-lead", "One more.");
    await written.promise;
    const rest = host.rest();
    // long enough for a lead that takes this for a rest
    await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, 500))]);
    looked.resolve();
    await rest;
    expect((await host.store.tasks.list("demo")).tasks.get("1")?.status).toBe("completed");
    const digests = JSON.stringify(host.server.requests.findLast(({ member }) => member === "team-lead")?.request);
    expect(digests).toContain("All tasks are completed.");
  });

  it("that leaves a task in progress: its lead is told that nobody works on it (row 60)", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(task("Left")), calls(spawn("alice")), "Waiting.", "I see."),
        alice: script(calls(update("1", { status: "in_progress" })), "Done, I think."),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    expect(host.lastSent("team-lead")).toContain("#1 [in_progress] Left (alice, but nobody works on it now)");
  });

  it("reads of a damaged task what it holds back, not that it is gone", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Base"), task("Top")),
          calls(update("2", { addBlockedBy: ["1"] })),
          "Waiting.",
          calls(call("TaskList", {}), call("TaskGet", { taskId: "1" }), update("1", { status: "completed" })),
          "I see.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    await writeFile(path.join(host.store.paths.team("demo").tasks, "1.json"), "nonsense");
    await host.session.say("team-lead", "Look.");
    await host.until("the look", () => (host.lastSent("team-lead").includes("[blocked by") ? true : undefined));
    const seen = host.lastSent("team-lead");
    expect(seen).toContain("#2 [pending] Top [blocked by #1 (damaged)]");
    expect(seen.split("The file of task #1 is damaged.")).toHaveLength(3);
    expect(seen).not.toContain("Task not found");
    const { result, reason } = await host.session.summary(false);
    expect([result, reason]).toEqual(["incomplete", "Damaged tasks: #1. Open tasks: #2 Top"]);
  });

  it("gets a task_assignment when somebody else gives it a task", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("One")),
          calls(spawn("alice")),
          calls(update("1", { owner: "alice" })),
          "Waiting.",
        ),
      }),
      { autoClaim: false },
    );
    host.session.start("Go.");
    await host.rest();
    const { entries } = await host.store.inboxes.read("demo", "alice");
    const body = JSON.parse(entries.at(-1)?.text ?? "{}");
    expect(Object.keys(body)).toEqual(["type", "taskId", "subject", "description", "assignedBy", "timestamp"]);
    expect(body).toMatchObject({ type: "task_assignment", taskId: "1", subject: "One", assignedBy: "team-lead" });
    expect((await host.store.tasks.list("demo")).tasks.get("1")).toMatchObject({ status: "pending", owner: "alice" });
  });
});

describe("TaskUpdate", () => {
  it("does not start what is blocked, and says so", async () => {
    await using host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam),
          calls(task("Base"), task("Top")),
          calls(update("2", { addBlockedBy: ["1"] })),
          calls(update("2", { status: "in_progress" })),
          calls(update("1", { addBlockedBy: ["2"] })),
          calls(update("9", { status: "completed" })),
          "So be it.",
        ),
      }),
    );
    host.session.start("Go.");
    await host.rest();
    const sent = JSON.stringify(host.server.requests.at(-1)?.request.messages);
    expect(sent).toMatch(/blocked/);
    expect(sent).toMatch(/cycle/);
    expect(sent).toContain("Task not found");
    expect((await host.store.tasks.list("demo")).tasks.get("2")?.status).toBe("pending");
  });
});
