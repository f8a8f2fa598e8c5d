import { utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { createStore } from "../../../src/store/store.ts";
import { nodeStoreFs } from "../../../src/store/storeFs.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const USER = { by: "user", isAgent: false } as const;
const STEPS = 60;

it("a snapshot that looks at the named tasks only is the one that looks at all, after each change by others", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice");
  const other = createStore({ root: temp.root });
  for (let id = 1; id <= 5; id += 1) await other.tasks.create("demo", { subject: `Task ${id}`, description: "" });
  let latest = await temp.store.snapshots.read("demo");
  for (let index = 0; index < STEPS; index += 1) {
    const ids = [...latest.graph.tasks.keys()];
    const id = ids[index % ids.length] ?? "1";
    const touched = new Set([id]);
    const kind = index % 6;
    if (kind === 0) touched.add((await other.tasks.create("demo", { subject: `New ${index}`, description: "" })).id);
    else if (kind === 1) await other.tasks.update("demo", id, { status: "deleted" }, USER);
    else if (kind === 2) await writeFile(temp.store.paths.team("demo").task(id), JSON.stringify(foreign(id, index)));
    else if (kind === 3)
      await other.tasks.update("demo", id, { addBlocks: [ids[(index + 1) % ids.length] ?? ""] }, USER).catch(() => {});
    else await other.tasks.update("demo", id, { subject: `Changed ${index}` }, USER);
    if (kind === 1 || kind === 3) for (const one of ids) touched.add(one); // edges stand in both files
    const before = latest;
    latest = await temp.store.snapshots.read("demo", (one) => before.graph.tasks.has(one) && !touched.has(one));
    const fresh = createStore({ root: temp.root });
    expect(latest.graph, `step ${index}`).toEqual((await fresh.snapshots.read("demo")).graph);
    fresh.dispose();
  }
  other.dispose();
});

it("a task that is called unchanged costs no look at its file, but where a change may hide behind its date", async () => {
  const looked: string[] = [];
  const stat = (file: string) => {
    looked.push(path.basename(file));
    return nodeStoreFs.stat(file);
  };
  await using temp = await openTempStore({ fs: { ...nodeStoreFs, stat } });
  await createDemo(temp.store, "alice");
  for (const id of ["1", "2"]) await temp.store.tasks.create("demo", { subject: `Task ${id}`, description: "" });
  const write = async (id: string, subject: string, date: Date) => {
    const file = temp.store.paths.team("demo").task(id);
    await writeFile(
      file,
      JSON.stringify({ id, subject, description: "", status: "pending", blocks: [], blockedBy: [] }),
    );
    await utimes(file, date, date);
  };
  const [long, justNow] = [new Date(2020, 1, 1), new Date(Date.now() + 3_600_000)]; // the second is recent for all of the test
  await write("1", "a", long);
  await write("2", "a", justNow);
  await temp.store.snapshots.read("demo");
  await write("1", "b", long);
  await write("2", "b", justNow);
  looked.length = 0;
  const { graph } = await temp.store.snapshots.read("demo", () => true);
  expect(looked).toContain("2.json");
  expect(looked).not.toContain("1.json");
  expect([...graph.tasks.values()].map(({ subject }) => subject)).toEqual(["a", "b"]);
});

function foreign(id: string, index: number) {
  return { id, subject: `By another program ${index}`, description: "", status: "pending", blocks: [], blockedBy: [] };
}
