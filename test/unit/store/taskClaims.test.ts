import { describe, expect, test } from "vitest";
import { taskMuster } from "../../../src/protocol/task.ts";
import { agent, claimer, createTasks, person } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("claiming", () => {
  test("takes the lowest free task, with a nonce and a lease", async () => {
    await using temp = await openTempStore({ clock: { now: () => 1_000, sleep: async () => {} } });
    const { store } = temp;
    const [alice] = await createDemo(store, "alice");
    await createTasks(store, "one", "two", "three");
    await store.tasks.update("demo", "1", { addBlockedBy: ["2"] }, person);
    const incarnation = alice?.muster?.incarnation ?? "";
    const task = await store.tasks.claim("demo", "next", { ...claimer("alice"), incarnation });
    expect(task).toMatchObject({ id: "2", owner: "alice", status: "in_progress" });
    expect(taskMuster(task).claim).toMatchObject({ by: "alice", incarnation, at: 1_000, leaseMs: expect.any(Number) });
    expect(taskMuster(task).claim?.nonce).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("takes only what the claimer's tools can do (row 65)", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "reviewer");
    await store.tasks.create("demo", { subject: "write", metadata: { muster: { needs: ["Edit", "Write"] } } });
    await expect(store.tasks.claim("demo", "next", claimer("reviewer", "Read", "Edit"))).rejects.toMatchObject({
      reason: "unknown_task",
    });
    await expect(store.tasks.claim("demo", "1", claimer("reviewer", "Read"))).rejects.toMatchObject({
      reason: "not_allowed",
    });
    expect((await store.tasks.claim("demo", "next", claimer("reviewer", "Edit", "Write"))).id).toBe("1");
  });

  test("eight claimers and twenty tasks: one owner each, one in progress each (row 62)", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    const names = Array.from({ length: 8 }, (_, index) => `worker-${index}`);
    await createDemo(store, ...names);
    await createTasks(store, ...Array.from({ length: 20 }, (_, index) => `task ${index}`));
    const taken: string[] = [];
    await Promise.all(
      names.map(async (name) => {
        for (;;) {
          try {
            const { id } = await store.tasks.claim("demo", "next", claimer(name));
            const graph = await store.tasks.list("demo");
            const own = [...graph.tasks.values()].filter(
              (task) => task.owner === name && task.status === "in_progress",
            );
            expect(own.map((task) => task.id)).toEqual([id]);
            taken.push(id);
            await store.tasks.update("demo", id, { status: "completed" }, agent(name));
          } catch (error) {
            expect(error).toMatchObject({ reason: "unknown_task" });
            return;
          }
        }
      }),
    );
    expect(taken.sort()).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)).sort());
  });

  test("matches owners exactly: Writer-2 does not run what belongs to Writer (row 66)", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "Writer", "Writer", "Writer");
    await store.tasks.create("demo", { subject: "one", owner: "Writer" });
    for (const name of ["Writer-2", "Writer-3"]) {
      await expect(store.tasks.claim("demo", "1", claimer(name))).rejects.toMatchObject({ reason: "already_claimed" });
      await expect(store.tasks.claim("demo", "next", claimer(name))).rejects.toMatchObject({ reason: "unknown_task" });
    }
    expect((await store.tasks.claim("demo", "1", claimer("Writer"))).owner).toBe("Writer");
  });

  test("is for members only", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    await createTasks(temp.store, "one");
    await expect(temp.store.tasks.claim("demo", "next", claimer("eve"))).rejects.toMatchObject({
      reason: "unknown_member",
    });
  });
});

test("an owner that dies gives back what it had not finished, and a late write of it changes nothing (row 70)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, "alice", "bob");
  await createTasks(store, "one", "two", "three");
  await store.tasks.claim("demo", "1", claimer("alice"));
  await store.tasks.update("demo", "2", { owner: "alice" }, person);
  await store.tasks.update("demo", "3", { status: "completed", owner: "alice" }, person);
  const released = await store.tasks.releaseOwner("demo", "alice");
  expect(released.map((task) => [task.id, task.status, task.owner])).toEqual([
    ["1", "pending", undefined],
    ["2", "pending", undefined],
  ]);
  expect(taskMuster(await store.tasks.get("demo", "1")).claim).toBeUndefined();
  expect((await store.tasks.get("demo", "3")).owner).toBe("alice");
  expect((await store.tasks.claim("demo", "next", claimer("bob"))).id).toBe("1");
});
