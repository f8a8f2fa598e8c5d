import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskMuster } from "../../../src/protocol/task.ts";
import { openBlockers, taskView } from "../../../src/protocol/taskGraph.ts";
import { agent, claimer, createTasks, person, rawTask } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

describe("updating", () => {
  test("keeps both directions of an edge, and refuses self-edge, cycle and phantom (row 64)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await createTasks(store, "one", "two", "three");
    const update = (id: string, patch: object) => store.tasks.update("demo", id, patch, person);
    await expect(update("1", { addBlocks: ["1"] })).rejects.toMatchObject({ reason: "cycle" });
    expect((await update("1", { addBlocks: ["2"] })).changed).toEqual(["blocks"]);
    await update("3", { addBlockedBy: ["2"] });
    await expect(update("1", { addBlockedBy: ["3"] })).rejects.toMatchObject({ reason: "cycle" });
    await expect(update("3", { addBlocks: ["1"] })).rejects.toMatchObject({ reason: "cycle" });
    await expect(update("1", { addBlocks: ["99"] })).rejects.toMatchObject({ reason: "unknown_task" });
    await expect(update("1", { addBlocks: ["2", "99"], subject: "changed" })).rejects.toMatchObject({
      reason: "unknown_task",
    });
    expect((await rawTask(root, "1")).subject).toBe("one");
    expect([await rawTask(root, "1"), await rawTask(root, "2"), await rawTask(root, "3")]).toMatchObject([
      { blocks: ["2"], blockedBy: [] },
      { blocks: ["3"], blockedBy: ["1"] },
      { blocks: [], blockedBy: ["2"] },
    ]);
  });

  test("completing tells what it freed, and leaves the edges on disk", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await createTasks(store, "one", "two", "three");
    await store.tasks.update("demo", "3", { addBlockedBy: ["1", "2"] }, person);
    expect((await store.tasks.update("demo", "1", { status: "completed" }, person)).unblocked).toEqual([]);
    const done = await store.tasks.update("demo", "2", { status: "completed" }, person);
    expect(done.unblocked.map((task) => task.id)).toEqual(["3"]);
    expect(done).toMatchObject({ changed: ["status"], previousOwner: null, task: { status: "completed" } });
    expect((await store.tasks.update("demo", "2", { status: "completed" }, person)).unblocked).toEqual([]);
    expect((await rawTask(root, "3")).blockedBy).toEqual(["1", "2"]);
    expect(openBlockers("3", await store.tasks.list("demo"))).toEqual([]);
  });

  test("completing frees nothing that was not held back, in one change with a new edge neither", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    await createTasks(temp.store, "one", "two");
    const done = await temp.store.tasks.update("demo", "1", { status: "completed", addBlocks: ["2"] }, person);
    expect(done.unblocked).toEqual([]);
  });

  test("deleting a blocker frees its dependants, cleans references and keeps the last state (row 64)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await createTasks(store, "one", "two", "three");
    await store.tasks.update("demo", "2", { addBlockedBy: ["1"], addBlocks: ["3"] }, person);
    const gone = await store.tasks.update("demo", "1", { status: "deleted" }, person);
    expect(gone).toMatchObject({ task: null, changed: ["deleted"] });
    expect(gone.unblocked.map((task) => task.id)).toEqual(["2"]);
    expect(await rawTask(root, "2")).toMatchObject({ blocks: ["3"], blockedBy: [] });
    const kept = JSON.parse(await readFile(join(root, "teams/demo/muster/deleted/1.json"), "utf8"));
    expect(kept).toMatchObject({ subject: "one", blocks: ["2"] });
    await expect(store.tasks.get("demo", "1")).rejects.toMatchObject({ reason: "unknown_task" });
    expect((await store.tasks.create("demo", { subject: "four" })).id).toBe("4");
  });

  test("a late write never revives a deleted task, ours or another program's (row 67)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice");
    await createTasks(store, "one");
    const before = await readFile(join(root, "tasks/demo/1.json"), "utf8");
    await Promise.allSettled([
      store.tasks.update("demo", "1", { status: "deleted" }, person),
      store.tasks.update("demo", "1", { status: "in_progress" }, agent("alice")),
    ]);
    const late = store.tasks.update("demo", "1", { status: "in_progress" }, agent("alice"));
    await expect(late).rejects.toMatchObject({ reason: "unknown_task" });
    expect(await readdir(join(root, "tasks/demo"))).not.toContain("1.json");
    await writeFile(join(root, "tasks/demo/1.json"), before.replace("pending", "in_progress"));
    expect((await store.tasks.list("demo")).tasks.size).toBe(0);
    await expect(store.tasks.claim("demo", "1", claimer("alice"))).rejects.toMatchObject({ reason: "unknown_task" });
    expect((await store.tasks.create("demo", { subject: "two" })).id).toBe("2");
  });

  test("metadata round-trips, merges key by key, and null removes a key (row 69)", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store);
    const metadata = { text: "x", nested: { list: [1, { deep: true }] }, n: 0, no: false };
    await store.tasks.create("demo", { subject: "one", metadata });
    expect((await store.tasks.get("demo", "1")).metadata).toEqual(metadata);
    await store.tasks.update("demo", "1", { metadata: { text: null, added: "y" } }, person);
    expect((await store.tasks.get("demo", "1")).metadata).toEqual({
      nested: metadata.nested,
      n: 0,
      no: false,
      added: "y",
    });
    await store.tasks.update("demo", "1", { metadata: { nested: null, n: null, no: null, added: null } }, person);
    expect((await store.tasks.get("demo", "1")).metadata).toEqual({});
    const view = taskView(await store.tasks.get("demo", "1"), await store.tasks.list("demo"));
    expect(view.metadata).toEqual({});
  });

  test("of our own data only `needs` can be given from outside: no claim is forged or wiped", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "alice");
    await store.tasks.create("demo", {
      subject: "one",
      metadata: { muster: { needs: ["Edit"], claim: { by: "eve" } } },
    });
    expect((await store.tasks.get("demo", "1")).metadata).toEqual({ muster: { needs: ["Edit"] } });
    const { nonce } = taskMuster(await store.tasks.claim("demo", "1", claimer("alice", "Edit"))).claim ?? {};
    await store.tasks.update("demo", "1", { metadata: { muster: { claim: null, needs: ["Bash"] } } }, agent("alice"));
    await store.tasks.update("demo", "1", { metadata: { muster: null } }, agent("alice"));
    const own = taskMuster(await store.tasks.get("demo", "1"));
    expect(own.claim?.nonce).toBe(nonce);
    expect(own.needs).toEqual(["Bash"]);
  });

  test("owner alone leaves the task pending; in_progress without owner makes the caller it", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "alice", "bob");
    await createTasks(store, "one", "two");
    const assigned = await store.tasks.update("demo", "1", { owner: "alice@demo" }, agent("team-lead"));
    expect(assigned).toMatchObject({
      task: { owner: "alice", status: "pending" },
      previousOwner: null,
      changed: ["owner"],
    });
    const started = await store.tasks.update("demo", "2", { status: "in_progress" }, agent("bob"));
    expect(started).toMatchObject({ task: { owner: "bob", status: "in_progress" }, changed: ["status", "owner"] });
    expect(taskMuster(await store.tasks.get("demo", "2")).claim).toMatchObject({ by: "bob" });
    const given = await store.tasks.update("demo", "2", { owner: "alice" }, agent("team-lead"));
    expect(given).toMatchObject({ task: { owner: "alice", status: "pending" }, previousOwner: "bob" });
    expect(taskMuster(await store.tasks.get("demo", "2")).claim).toBeUndefined();
    const freed = await store.tasks.update("demo", "2", { owner: "" }, person);
    expect(freed.task).not.toHaveProperty("owner");
  });

  test("a blocked or owned task is started by no path, and nobody has two in progress", async () => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "alice", "bob");
    await createTasks(store, "one", "two", "three", "four");
    await store.tasks.update("demo", "2", { addBlockedBy: ["1"] }, person);
    const update = (id: string, patch: object, actor: object = agent("alice")) =>
      store.tasks.update("demo", id, patch, actor as { by: string });
    const refused = (promise: Promise<unknown>, reason: string) => expect(promise).rejects.toMatchObject({ reason });
    await refused(update("2", { status: "in_progress" }), "blocked");
    await refused(update("2", { status: "completed" }), "blocked");
    await refused(update("2", { owner: "alice", status: "in_progress" }), "blocked");
    await refused(update("2", { owner: "bob", status: "in_progress" }, person), "blocked");
    await refused(update("3", { addBlockedBy: ["1"], status: "in_progress" }), "blocked");
    await refused(store.tasks.claim("demo", "2", claimer("alice")), "blocked");
    await update("2", { owner: "bob" }, agent("team-lead"));
    await refused(update("1", { status: "in_progress" }, person), "not_allowed");
    await update("3", { owner: "bob" }, agent("team-lead"));
    await refused(update("3", { status: "in_progress" }), "already_claimed");
    await refused(update("3", { status: "in_progress", owner: "alice" }), "already_claimed");
    await refused(update("3", { owner: "alice" }), "already_claimed");
    await refused(update("3", { status: "in_progress" }, agent("team-lead")), "already_claimed");
    await refused(store.tasks.claim("demo", "3", claimer("alice")), "already_claimed");
    await update("1", { status: "in_progress" });
    await refused(update("4", { status: "in_progress" }), "agent_busy");
    await refused(store.tasks.claim("demo", "next", claimer("alice")), "agent_busy");
    await refused(store.tasks.claim("demo", "4", claimer("alice")), "agent_busy");
    await refused(update("4", { owner: "alice", status: "in_progress" }, person), "agent_busy");
    await update("1", { status: "completed" });
    await refused(update("1", { status: "in_progress" }), "already_resolved");
    await refused(store.tasks.claim("demo", "1", claimer("alice")), "already_resolved");
    expect((await store.tasks.get("demo", "1")).owner).toBe("alice");
    await update("3", { status: "in_progress" }, person);
    expect(await store.tasks.get("demo", "3")).toMatchObject({ owner: "bob", status: "in_progress" });
  });

  test("leaves fields of other programs as they are, and the order of keys", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice");
    const theirs = {
      theirs: [1],
      id: "1",
      subject: "x",
      description: "",
      status: "pending",
      blocks: [],
      blockedBy: [],
    };
    await writeFile(join(root, "tasks/demo/1.json"), JSON.stringify(theirs, null, 2));
    await store.tasks.update("demo", "1", { owner: "alice" }, agent("team-lead"));
    const after = await rawTask(root, "1");
    expect(after).toEqual({ ...theirs, owner: "alice" });
    expect(Object.keys(after)).toEqual([...Object.keys(theirs), "owner"]);
  });
});
