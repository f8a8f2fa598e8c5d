import { expect, it } from "vitest";
import { readAuditLog } from "../../../../src/team/resume/auditLog.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

const OWNER = { team: "demo", agent: "team-lead" };

it.each([
  { what: "a time", at: "2001-09-09T01:46:40.000Z", since: 1e12 },
  { what: "no time that can be read", at: "some day", since: 0 },
])("a team whose pause has $what goes on paused", async ({ at, since }) => {
  await using temp = await openTempStore();
  await createDemo(temp.store);
  await temp.store.audit.append(OWNER, { event: "paused", at });
  expect(await readAuditLog(temp.store, OWNER)).toMatchObject({ pausedSince: since });
});
