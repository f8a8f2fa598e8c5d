import { appendFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const withdrawn = (id: string) => ({ event: "withdrawn" as const, at: "2026-11-27T09:00:00.000Z", id, from: "alice" });

test("the audit log of several writers loses nothing beside a torn line", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const owner = { team: "demo", agent: "team-lead" };
  await temp.store.audit.append(owner, withdrawn("1"));
  await appendFile(temp.store.paths.team("demo").audit, '{"event": "withdrawn", "torn');
  await temp.store.audit.append(owner, withdrawn("3"));
  expect(await temp.store.audit.read(owner)).toEqual([withdrawn("1"), withdrawn("3")]);
  await temp.store.audit.append({ leadSession: "s-1" }, withdrawn("4"));
  expect(await temp.store.audit.read({ leadSession: "s-1" })).toEqual([withdrawn("4")]);
});
