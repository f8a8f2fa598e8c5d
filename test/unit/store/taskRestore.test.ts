import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskMuster } from "../../../src/protocol/task.ts";
import { openBlockers } from "../../../src/protocol/taskGraph.ts";
import { claimer, createTasks, person, rawTask } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("bringing back a deleted task", () => {
  test("gives its texts, its owner, its place among the others and what other programs wrote into it", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    await createTasks(temp.store, "one", "two", "three");
    await temp.store.tasks.update("demo", "2", { owner: "alice", addBlockedBy: ["1"], addBlocks: ["3"] }, person);
    const file = join(temp.root, "tasks/demo/2.json");
    await writeFile(file, JSON.stringify({ ...(await rawTask(temp.root, "2")), theirs: { kept: true } }));
    const before = await rawTask(temp.root, "2");
    await temp.store.tasks.update("demo", "2", { status: "deleted" }, person);
    expect((await temp.store.tasks.deleted("demo")).map(({ id, subject }) => [id, subject])).toEqual([["2", "two"]]);
    expect(openBlockers("3", await temp.store.tasks.list("demo"))).toEqual([]);
    await temp.store.tasks.restore("demo", "2");
    expect(await rawTask(temp.root, "2")).toEqual(before);
    expect((await rawTask(temp.root, "1")).blocks).toEqual(["2"]);
    expect((await rawTask(temp.root, "3")).blockedBy).toEqual(["2"]);
    expect(await temp.store.tasks.deleted("demo")).toEqual([]);
    expect((await temp.store.tasks.create("demo", { subject: "next" })).id).toBe("4");
    expect((await temp.store.doctor.check("demo")).faults).toEqual([]);
  });

  test("nobody works on it, an owner who has left is not its owner, and a completed one stays completed", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    await createTasks(temp.store, "one", "two");
    await temp.store.tasks.claim("demo", "1", claimer("alice"));
    await temp.store.tasks.update("demo", "2", { status: "completed", owner: "alice" }, person);
    for (const id of ["1", "2"]) await temp.store.tasks.update("demo", id, { status: "deleted" }, person);
    const config = await temp.store.teams.read("demo");
    const alice = config.members.find(({ name }) => name === "alice");
    await temp.store.teams.removeMember("demo", "alice", alice?.muster?.incarnation ?? "");
    const one = await temp.store.tasks.restore("demo", "1");
    expect([one.status, one.owner, taskMuster(one).claim]).toEqual(["pending", undefined, undefined]);
    const two = await temp.store.tasks.restore("demo", "2");
    expect([two.status, two.owner]).toEqual(["completed", undefined]);
  });

  test("leaves out an edge that would be a cycle by now, and edges to tasks that are gone", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    await createTasks(temp.store, "one", "two", "three", "four");
    await temp.store.tasks.update("demo", "1", { addBlocks: ["2", "4"], addBlockedBy: ["3"] }, person);
    for (const id of ["1", "4"]) await temp.store.tasks.update("demo", id, { status: "deleted" }, person);
    await temp.store.tasks.update("demo", "3", { addBlockedBy: ["2"] }, person);
    const task = await temp.store.tasks.restore("demo", "1");
    expect([task.blockedBy, task.blocks]).toEqual([["3"], []]);
    expect(openBlockers("1", await temp.store.tasks.list("demo"))).toEqual(["3"]);
  });

  test("is refused for one that was never deleted or is back, and for one of which nothing usable was kept", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    await createTasks(temp.store, "one");
    await expect(temp.store.tasks.restore("demo", "1")).rejects.toMatchObject({ reason: "unknown_task" });
    await expect(temp.store.tasks.restore("demo", "../1")).rejects.toMatchObject({ reason: "unknown_task" });
    await temp.store.tasks.update("demo", "1", { status: "deleted" }, person);
    await writeFile(join(temp.root, "teams/demo/muster/deleted/1.json"), "{");
    await expect(temp.store.tasks.restore("demo", "1")).rejects.toMatchObject({ reason: "corrupt" });
    expect(await temp.store.tasks.deleted("demo")).toEqual([]);
    await expect(temp.store.tasks.get("demo", "1")).rejects.toMatchObject({ reason: "unknown_task" });
  });
});
