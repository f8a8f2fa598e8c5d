import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claimer, createTasks, person, rawTask } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("creating", () => {
  test("numbers tasks from 1 and writes the keys that the reference reads", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    await createTasks(temp.store, "one");
    await temp.store.tasks.create("demo", {
      subject: "two",
      description: "all of it",
      activeForm: "doing two",
      owner: "alice",
      blockedBy: ["1"],
      metadata: { size: "S" },
    });
    expect(Object.keys(await rawTask(temp.root, "1"))).toEqual([
      "id",
      "subject",
      "description",
      "status",
      "blocks",
      "blockedBy",
    ]);
    expect(await rawTask(temp.root, "2")).toEqual({
      id: "2",
      subject: "two",
      description: "all of it",
      activeForm: "doing two",
      owner: "alice",
      status: "pending",
      blocks: [],
      blockedBy: ["1"],
      metadata: { size: "S" },
    });
    expect((await rawTask(temp.root, "1")).blocks).toEqual(["2"]);
  });

  test("for a member that leaves while the list is locked is refused", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    await createTasks(temp.store, "one");
    const lock = join(temp.root, "tasks/demo/.lock.lock");
    await mkdir(lock); // as another program takes it
    const owned = { owner: "alice" };
    const jobs = [
      temp.store.tasks.update("demo", "1", owned, person),
      temp.store.tasks.create("demo", { subject: "two", ...owned }),
      temp.store.tasks.claim("demo", "1", claimer("alice")),
    ];
    const refused = Promise.all(jobs.map((job) => expect(job).rejects.toMatchObject({ reason: "unknown_member" })));
    await temp.store.teams.removeMember("demo", "alice");
    await rm(lock, { recursive: true });
    await refused;
    expect(await rawTask(temp.root, "1")).not.toHaveProperty("owner");
  });

  test("in parallel never gives an id twice (row 68)", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) => temp.store.tasks.create("demo", { subject: `task ${index}` })),
    );
    expect(new Set(made.map((task) => task.id)).size).toBe(12);
    const { tasks: all } = await temp.store.tasks.list("demo");
    expect([...all.values()].map((task) => task.subject).sort()).toEqual(made.map((task) => task.subject).sort());
  });

  test("goes on behind files, marks and tombstones; a corrupt or missing watermark is no reason to reuse (row 68)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await createTasks(store, "one", "two", "three");
    await store.tasks.update("demo", "3", { status: "deleted" }, person);
    expect(await readFile(join(root, "tasks/demo/.highwatermark"), "utf8")).toBe("3");
    for (const mark of ["", "garbage", "-5", "1", "2\n"]) {
      await writeFile(join(root, "tasks/demo/.highwatermark"), mark);
      const task = await store.tasks.create("demo", { subject: "next" });
      expect(Number(task.id)).toBeGreaterThan(3);
      await rm(join(root, `tasks/demo/${task.id}.json`));
    }
    await writeFile(join(root, "tasks/demo/.highwatermark"), "40");
    expect((await store.tasks.create("demo", { subject: "next" })).id).toBe("41");
    await writeFile(join(root, "tasks/demo/.counter"), "99");
    expect((await store.tasks.create("demo", { subject: "next" })).id).toBe("100");
  });

  test("refuses edges to unknown tasks, cycles, and owners who are no members, and makes nothing (row 64)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice");
    await createTasks(store, "one");
    const refusals = [
      [{ subject: "x", blockedBy: ["99"] }, "unknown_task"],
      [{ subject: "x", blocks: ["2"] }, "unknown_task"],
      [{ subject: "x", blocks: ["1"], blockedBy: ["1"] }, "cycle"],
      [{ subject: "x", owner: "nobody" }, "unknown_member"],
    ] as const;
    for (const [draft, reason] of refusals) {
      await expect(store.tasks.create("demo", draft)).rejects.toMatchObject({ reason });
    }
    expect((await readdir(join(root, "tasks/demo"))).sort()).toEqual([".lock", "1.json"]);
    expect((await rawTask(root, "1")).blocks).toEqual([]);
  });

  test("needs a team, and never makes a folder for one that is not there (rows 18, 69)", async () => {
    await using temp = await openTempStore();
    await expect(temp.store.tasks.create("default", { subject: "x" })).rejects.toMatchObject({
      reason: "unknown_team",
    });
    await expect(temp.store.inboxes.send("default", { from: "user", to: ["a"], text: "x" })).rejects.toMatchObject({
      reason: "unknown_team",
    });
    expect(await readdir(temp.root)).toEqual([]);
  });
});

test("damaged task files are left out and told; the others work, and their ids stay taken", async () => {
  await using temp = await openTempStore();
  const { store, root, faults } = temp;
  await createDemo(store, "alice");
  await createTasks(store, "one", "two", "three");
  await writeFile(join(root, "tasks/demo/2.json"), '{"id": "2", "subject": "tw');
  await writeFile(join(root, "tasks/demo/3.json"), JSON.stringify({ ...(await rawTask(root, "3")), id: "1" }));
  const { tasks: all } = await store.tasks.list("demo");
  expect([...all.keys()]).toEqual(["1"]);
  expect(faults.map((fault) => fault.file.split("/").at(-1)).sort()).toEqual(["2.json", "3.json"]);
  await expect(store.tasks.update("demo", "2", { subject: "x" }, person)).rejects.toMatchObject({ reason: "corrupt" });
  expect((await store.tasks.claim("demo", "next", claimer("alice"))).id).toBe("1");
  expect((await store.tasks.create("demo", { subject: "four" })).id).toBe("4");
  expect(await readFile(join(root, "tasks/demo/2.json"), "utf8")).toBe('{"id": "2", "subject": "tw');
});

test("tasks of old writers without edges, and other files in the folder, do no harm", async () => {
  await using temp = await openTempStore();
  const { store, root } = temp;
  await createDemo(store);
  await writeFile(join(root, "tasks/demo/7.json"), JSON.stringify({ id: "7", subject: "bare", status: "pending" }));
  await writeFile(join(root, "tasks/demo/notes.json"), "{}");
  await mkdir(join(root, "tasks/demo/8.json.lock.d"));
  expect((await store.tasks.create("demo", { subject: "x", blockedBy: ["7"] })).id).toBe("8");
  expect(await rawTask(root, "7")).toEqual({ id: "7", subject: "bare", status: "pending", blocks: ["8"] });
});
