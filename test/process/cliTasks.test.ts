import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { useCliCommands } from "../support/cliCommands.ts";
import { claimOutput, inboxOutput, taskOutput, tasksOutput, taskUpdateOutput } from "../support/cliContract.ts";
import type { CliResult } from "../support/runCli.ts";

const cli = useCliCommands();
const { muster, done, refused, slug } = cli;

describe("tasks", () => {
  test("are created with everything that an option can say, and an owner is told", async () => {
    await done(taskOutput, ["task", "create", "demo", "--subject", "First"]);
    const { task } = await done(taskOutput, [
      ...["task", "create", "demo", "--subject=Second", "--description", "- with a dash", "--active-form", "Doing it"],
      ...["--owner", "研究员", "--blocked-by", "#1", "--metadata", '{"a":1}'],
    ]);
    expect(task).toMatchObject({
      ...{ id: "2", subject: "Second", description: "- with a dash", activeForm: "Doing it", status: "pending" },
      ...{ owner: await slug(), blockedBy: ["1"], openBlockers: ["1"], metadata: { a: 1 } },
    });
    const { entries } = await done(inboxOutput, ["inbox", "demo", "研究员"]);
    expect(entries).toMatchObject([
      { from: "user", kind: "task_assignment", body: { taskId: "2", assignedBy: "user" } },
    ]);
  });

  test("are updated: blocked ones free others, null removes a key, '' the owner, deleted leaves null", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    const first = await done(taskUpdateOutput, [
      "task",
      "update",
      "demo",
      "1",
      "--add-blocks",
      "2",
      "--owner",
      "alice",
    ]);
    expect(first.task).toMatchObject({ blocks: ["2"], owner: "alice" });
    await done(taskUpdateOutput, ["task", "update", "demo", "1", "--metadata", '{"a":1,"b":2}']);
    const merged = await done(taskUpdateOutput, ["task", "update", "demo", "1", "--metadata", '{"a":null}']);
    expect(merged.task?.metadata).toEqual({ b: 2 });
    const finished = await done(taskUpdateOutput, ["task", "update", "demo", "#1", "--status", "completed"]);
    expect(finished.unblocked).toEqual(["2"]);
    expect((await done(taskUpdateOutput, ["task", "update", "demo", "1", "--owner="])).task?.owner).toBe(null);
    expect(await done(taskUpdateOutput, ["task", "update", "demo", "2", "--status", "deleted"])).toEqual({
      task: null,
      unblocked: [],
    });
    expect((await done(taskOutput, ["task", "create", "demo", "--subject", "Third"])).task.id).toBe("3");
  });

  test("refuse what would break them", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    await done(taskUpdateOutput, ["task", "update", "demo", "2", "--add-blocked-by", "1"]);
    await refused("cycle", 1, ["task", "update", "demo", "1", "--add-blocked-by", "2"]);
    await refused("cycle", 1, ["task", "update", "demo", "1", "--add-blocks", "1"]);
    await refused("unknown_task", 1, ["task", "update", "demo", "7", "--status", "completed"]);
    await refused("unknown_task", 1, ["task", "update", "demo", "../1", "--status", "completed"]);
    await refused("not_allowed", 1, ["task", "update", "demo", "1", "--status", "in_progress"]);
    await refused("blocked", 1, ["task", "update", "demo", "2", "--status", "in_progress", "--owner", "alice"]);
    await refused("unknown_member", 1, ["task", "update", "demo", "1", "--owner", "bob"]);
    await refused("usage", 2, ["task", "update", "demo", "1"]);
    await refused("usage", 2, ["task", "update", "demo", "1", "--status", "done"]);
    await refused("usage", 2, ["task", "update", "demo", "1", "--metadata", "[1]"]);
    await refused("usage", 2, ["task", "create", "demo"]);
    await refused("usage", 2, ["task", "create", "demo", "--subject", "x", "--blocks", "1;2"]);
    expect((await done(tasksOutput, ["tasks", "demo"])).tasks).toHaveLength(2);
  });

  test("that wait for a damaged one say so, and are started by nobody", async () => {
    for (const subject of ["First", "Second", "Third"])
      await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    await done(taskUpdateOutput, ["task", "update", "demo", "3", "--add-blocked-by", "1,2"]);
    const file = path.join(cli.home.root, "tasks/demo/2.json");
    const whole = await readFile(file, "utf8");
    await writeFile(file, "nonsense");
    expect((await muster(["tasks", "demo"])).stdout).toContain("waits for #1, #2 (damaged)");
    const first = await muster(["task", "update", "demo", "1", "--status", "completed", "--json"]);
    expect(taskUpdateOutput.parse(first.json()).unblocked).toEqual([]);
    const claim = await muster(["task", "claim", "demo", "3", "--as", "alice", "--json"]);
    expect(claim.json()).toMatchObject({ claimed: false, reason: "blocked", task: { openBlockers: ["2"] } });
    expect(claim.stderr).toContain("Task #3 is blocked by #2, and the file of #2 is damaged: mend that first.");
    await writeFile(file, whole);
  });

  test("are claimed once, in order, one at a time", async () => {
    for (const subject of ["First", "Second", "Third"])
      await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    await done(taskUpdateOutput, ["task", "update", "demo", "2", "--add-blocked-by", "1"]);
    const claim = (...args: string[]) => muster(["task", "claim", "demo", ...args, "--json"]);
    const outcome = async (result: Promise<CliResult>) => {
      const { code, json } = await result;
      return { code, ...claimOutput.parse(json()) };
    };
    expect(await outcome(claim("2", "--as", "alice"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "blocked",
      task: { id: "2" },
    });
    expect(await outcome(claim("--next", "--as", "alice"))).toMatchObject({
      ...{ code: 0, claimed: true, task: { id: "1", owner: "alice", status: "in_progress" } },
    });
    expect(await outcome(claim("1", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "already_claimed",
      task: { owner: "alice" },
    });
    expect(await outcome(claim("3", "--as", "alice"))).toMatchObject({ code: 1, claimed: false, reason: "agent_busy" });
    expect(await outcome(claim("9", "--as", "alice"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "unknown_task",
      task: null,
    });
    expect(await outcome(claim("--next", "--as", "研究员"))).toMatchObject({ code: 0, task: { id: "3" } });
    await done(taskUpdateOutput, ["task", "update", "demo", "3", "--status", "completed"]);
    expect(await outcome(claim("3", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "already_resolved",
    });
    expect(await outcome(claim("--next", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "unknown_task",
      task: null,
    });
    await refused("unknown_member", 1, ["task", "claim", "demo", "--next", "--as", "bob"]);
    await refused("usage", 2, ["task", "claim", "demo", "--as", "alice"]);
    await refused("usage", 2, ["task", "claim", "demo", "1", "--next", "--as", "alice"]);
    await refused("usage", 2, ["task", "claim", "demo", "1"]);
  });
});
