import { appendFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

test("the audit log of several writers loses nothing beside a torn line", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  const owner = { team: "demo", agent: "team-lead" };
  await temp.store.audit.append(owner, { n: 1 });
  await appendFile(temp.store.paths.team("demo").audit, '{"n": 2, "torn');
  await temp.store.audit.append(owner, { n: 3 });
  expect(await temp.store.audit.read(owner)).toEqual([{ n: 1 }, { n: 3 }]);
  await temp.store.audit.append({ leadSession: "s-1" }, { n: 4 });
  expect(await temp.store.audit.read({ leadSession: "s-1" })).toEqual([{ n: 4 }]);
});
