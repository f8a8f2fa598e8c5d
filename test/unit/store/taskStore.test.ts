import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { taskMuster } from "../../../src/protocol/task.ts";
import { openBlockers, taskView } from "../../../src/protocol/taskGraph.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Claimer } from "../../../src/store/taskStore.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const person = { by: "user", isAgent: false };
const agent = (by: string) => ({ by, isAgent: true });
const claimer = (by: string, ...tools: string[]): Claimer => ({ by, hasTool: (tool) => tools.includes(tool) });
const raw = async (root: string, id: string) => JSON.parse(await readFile(join(root, `tasks/demo/${id}.json`), "utf8"));

async function tasks(store: Store, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) await store.tasks.create("demo", { subject });
}

describe("creating", () => {
  test("numbers tasks from 1 and writes the keys that the reference reads", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "alice");
    await tasks(temp.store, "one");
    await temp.store.tasks.create("demo", {
      subject: "two",
      description: "all of it",
      activeForm: "doing two",
      owner: "alice",
      blockedBy: ["1"],
      metadata: { size: "S" },
    });
    expect(Object.keys(await raw(temp.root, "1"))).toEqual([
      "id",
      "subject",
      "description",
      "status",
      "blocks",
      "blockedBy",
    ]);
    expect(await raw(temp.root, "2")).toEqual({
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
    expect((await raw(temp.root, "1")).blocks).toEqual(["2"]);
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
    await tasks(store, "one", "two", "three");
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
    await tasks(store, "one");
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
    expect((await raw(root, "1")).blocks).toEqual([]);
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

describe("updating", () => {
  test("keeps both directions of an edge, and refuses self-edge, cycle and phantom (row 64)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await tasks(store, "one", "two", "three");
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
    expect((await raw(root, "1")).subject).toBe("one");
    expect([await raw(root, "1"), await raw(root, "2"), await raw(root, "3")]).toMatchObject([
      { blocks: ["2"], blockedBy: [] },
      { blocks: ["3"], blockedBy: ["1"] },
      { blocks: [], blockedBy: ["2"] },
    ]);
  });

  test("completing tells what it freed, and leaves the edges on disk", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await tasks(store, "one", "two", "three");
    await store.tasks.update("demo", "3", { addBlockedBy: ["1", "2"] }, person);
    expect((await store.tasks.update("demo", "1", { status: "completed" }, person)).unblocked).toEqual([]);
    const done = await store.tasks.update("demo", "2", { status: "completed" }, person);
    expect(done.unblocked.map((task) => task.id)).toEqual(["3"]);
    expect(done).toMatchObject({ changed: ["status"], previousOwner: null, task: { status: "completed" } });
    expect((await store.tasks.update("demo", "2", { status: "completed" }, person)).unblocked).toEqual([]);
    expect((await raw(root, "3")).blockedBy).toEqual(["1", "2"]);
    expect(openBlockers("3", await store.tasks.list("demo"))).toEqual([]);
  });

  test("completing frees nothing that was not held back, in one change with a new edge neither", async () => {
    await using temp = await openTempStore();
    await createDemo(temp.store);
    await tasks(temp.store, "one", "two");
    const done = await temp.store.tasks.update("demo", "1", { status: "completed", addBlocks: ["2"] }, person);
    expect(done.unblocked).toEqual([]);
  });

  test("deleting a blocker frees its dependants, cleans references and keeps the last state (row 64)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store);
    await tasks(store, "one", "two", "three");
    await store.tasks.update("demo", "2", { addBlockedBy: ["1"], addBlocks: ["3"] }, person);
    const gone = await store.tasks.update("demo", "1", { status: "deleted" }, person);
    expect(gone).toMatchObject({ task: null, changed: ["deleted"] });
    expect(gone.unblocked.map((task) => task.id)).toEqual(["2"]);
    expect(await raw(root, "2")).toMatchObject({ blocks: ["3"], blockedBy: [] });
    const kept = JSON.parse(await readFile(join(root, "teams/demo/muster/deleted/1.json"), "utf8"));
    expect(kept).toMatchObject({ subject: "one", blocks: ["2"] });
    await expect(store.tasks.get("demo", "1")).rejects.toMatchObject({ reason: "unknown_task" });
    expect((await store.tasks.create("demo", { subject: "four" })).id).toBe("4");
  });

  test("a late write never revives a deleted task, ours or another program's (row 67)", async () => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice");
    await tasks(store, "one");
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
    await tasks(store, "one", "two");
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
    await tasks(store, "one", "two", "three", "four");
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
    const after = await raw(root, "1");
    expect(after).toEqual({ ...theirs, owner: "alice" });
    expect(Object.keys(after)).toEqual([...Object.keys(theirs), "owner"]);
  });
});

describe("claiming", () => {
  test("takes the lowest free task, with a nonce and a lease", async () => {
    await using temp = await openTempStore({ clock: { now: () => 1_000, sleep: async () => {} } });
    const { store } = temp;
    const [alice] = await createDemo(store, "alice");
    await tasks(store, "one", "two", "three");
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
    await tasks(store, ...Array.from({ length: 20 }, (_, index) => `task ${index}`));
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
    await tasks(temp.store, "one");
    await expect(temp.store.tasks.claim("demo", "next", claimer("eve"))).rejects.toMatchObject({
      reason: "unknown_member",
    });
  });
});

test("an owner that dies gives back what it had not finished, and a late write of it changes nothing (row 70)", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, "alice", "bob");
  await tasks(store, "one", "two", "three");
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

test("damaged task files are left out and told; the others work, and their ids stay taken", async () => {
  await using temp = await openTempStore();
  const { store, root, faults } = temp;
  await createDemo(store, "alice");
  await tasks(store, "one", "two", "three");
  await writeFile(join(root, "tasks/demo/2.json"), '{"id": "2", "subject": "tw');
  await writeFile(join(root, "tasks/demo/3.json"), JSON.stringify({ ...(await raw(root, "3")), id: "1" }));
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
  expect(await raw(root, "7")).toEqual({ id: "7", subject: "bare", status: "pending", blocks: ["8"] });
});
