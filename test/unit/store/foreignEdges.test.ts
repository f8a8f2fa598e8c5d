import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openBlockers } from "../../../src/protocol/taskGraph.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const TASKS = 51;

it("another program's edges with one end count at once, and are completed some tasks at each change", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const file = (id: number) => join(temp.root, `tasks/demo/${id}.json`);
  for (let id = 1; id <= TASKS; id += 1) {
    const blockedBy = id === 1 ? [] : [String(id - 1)];
    const task = { id: String(id), subject: `task ${id}`, description: "", status: "pending", blocks: [], blockedBy };
    await writeFile(file(id), JSON.stringify(task));
  }
  const completed = async () => {
    const all = await Promise.all(Array.from({ length: TASKS }, (_, at) => readFile(file(at + 1), "utf8")));
    return all.filter((text) => JSON.parse(text).blocks.length > 0).length;
  };
  const rename = (subject: string) => temp.store.tasks.update("demo", "1", { subject }, { by: "user", isAgent: false });

  await rename("one");
  expect(await completed()).toBe(20);
  const graph = await temp.store.tasks.list("demo");
  expect([openBlockers("2", graph), openBlockers(String(TASKS), graph)]).toEqual([["1"], [String(TASKS - 1)]]);
  await rename("once more");
  await rename("and again");
  expect(await completed()).toBe(TASKS - 1);
});
