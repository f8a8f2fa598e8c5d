import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLogger } from "../../../src/base/logger.ts";
import { openBlockers } from "../../../src/protocol/taskGraph.ts";
import { openTeamWatch } from "../../../src/team/teamWatch.ts";
import { agent, claimer, createTasks, person, rawTask } from "../../support/taskFiles.ts";
import { createDemo, openTempStore, type TempStore } from "../../support/tempStore.ts";

/** Task #3 of `demo` waits for #1 and #2, and then the file of #2 is damaged. */
async function damageBlocker({ store, root }: TempStore): Promise<{ file: string; whole: string }> {
  await createDemo(store, "alice");
  await createTasks(store, "one", "two", "three");
  await store.tasks.update("demo", "3", { addBlockedBy: ["1", "2"] }, person);
  const file = join(root, "tasks/demo/2.json");
  const whole = JSON.stringify(await rawTask(root, "2"));
  await writeFile(file, "nonsense");
  return { file, whole };
}

test("a damaged task holds back those that wait for it, whoever would start them", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await damageBlocker(temp);
  const both = "Task #3 is blocked by #1, #2, and the file of #2 is damaged: mend that first.";
  await expect(store.tasks.claim("demo", "3", claimer("alice"))).rejects.toMatchObject({ message: both });
  expect((await store.tasks.update("demo", "1", { status: "completed" }, person)).unblocked).toEqual([]);
  const alone = "Task #3 is blocked by #2, and the file of #2 is damaged: mend that first.";
  const refused = { reason: "blocked", message: alone };
  await expect(store.tasks.claim("demo", "3", claimer("alice"))).rejects.toMatchObject(refused);
  await expect(store.tasks.claim("demo", "next", claimer("alice"))).rejects.toMatchObject({ reason: "unknown_task" });
  for (const [patch, actor] of [
    [{ status: "in_progress" }, agent("alice")],
    [{ status: "in_progress", owner: "alice" }, person],
    [{ status: "completed" }, agent("alice")],
    [{ status: "in_progress", owner: "alice", subject: "new" }, person],
  ] as const)
    await expect(store.tasks.update("demo", "3", patch, actor)).rejects.toMatchObject(refused);
  const changed = await store.tasks.update("demo", "3", { subject: "new" }, person);
  expect(changed.task).toMatchObject({ subject: "new", blockedBy: ["1", "2"] });
});

test("it is waited for until its file is mended or taken away", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  const { file, whole } = await damageBlocker(temp);
  await store.tasks.update("demo", "1", { status: "completed" }, person);
  await writeFile(file, whole);
  expect(openBlockers("3", await store.tasks.list("demo"))).toEqual(["2"]);
  await writeFile(file, "nonsense again");
  expect(openBlockers("3", await store.tasks.list("demo"))).toEqual(["2"]);
  await rm(file);
  expect((await store.tasks.claim("demo", "3", claimer("alice"))).id).toBe("3");
});

test("no new edge can be set to it, none closes a cycle through it, and a task that comes back still waits for it", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await damageBlocker(temp);
  await createTasks(store, "four");
  const damaged = { reason: "corrupt", message: "The file of task #2 is damaged." };
  await expect(store.tasks.update("demo", "4", { addBlockedBy: ["2"] }, person)).rejects.toMatchObject(damaged);
  await expect(store.tasks.create("demo", { subject: "x", blocks: ["2"] })).rejects.toMatchObject(damaged);
  await writeFile(
    join(temp.root, "tasks/demo/4.json"),
    JSON.stringify({ ...(await rawTask(temp.root, "4")), blocks: ["2"] }),
  );
  const circle = store.tasks.update("demo", "3", { addBlocks: ["4"] }, person);
  await expect(circle).rejects.toMatchObject({ reason: "cycle" });
  await store.tasks.update("demo", "3", { status: "deleted" }, person);
  expect((await store.tasks.restore("demo", "3")).blockedBy).toEqual(["1", "2"]);
  await store.tasks.update("demo", "1", { status: "completed" }, person);
  await expect(store.tasks.claim("demo", "3", claimer("alice"))).rejects.toMatchObject({ reason: "blocked" });
});

test("who watches the team sees it held back while the file is damaged, and free once it is gone", async () => {
  await using temp = await openTempStore();
  const { file } = await damageBlocker(temp);
  await temp.store.tasks.update("demo", "1", { status: "completed" }, person);
  const watch = await openTeamWatch(temp.store, "demo", silentLogger);
  expect(openBlockers("3", watch.snapshot.graph)).toEqual(["2"]);
  await rm(file);
  expect(openBlockers("3", (await watch.refresh()).graph)).toEqual([]);
  watch.dispose();
});
