import { expect, it } from "vitest";
import type { PendingRequest } from "../../../../src/protocol/request.ts";
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

it("what the person allowed for the session is what its member asked, also where another one asks under the same id", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "alice", "bob");
  const at = "2026-11-27T20:00:00.000Z";
  const asks = (from: string, ruleContent: string) => {
    const rules = [{ toolName: "Bash", ruleContent }];
    const request: PendingRequest = {
      ...{
        kind: "permission",
        id: "perm-1",
        from,
        createdAt: 1,
        task: null,
        said: null,
        tool: "Bash",
        toolUseId: from,
      },
      ...{ input: {}, cwd: "/project", description: "", reason: "", parts: null, guarded: false },
      suggestions: [{ type: "addRules", rules, behavior: "allow", destination: "session" }],
    };
    return temp.store.audit.append(OWNER, { event: "asked", at, request });
  };
  await asks("alice", "ls:*");
  await asks("bob", "curl:*");
  const decision = { kind: "allow", scope: "session" } as const;
  await temp.store.audit.append(OWNER, { event: "decided", at, id: "perm-1", from: "alice", decision, by: "person" });
  const log = await readAuditLog(temp.store, OWNER);
  expect(log.rules).toEqual(["Bash(ls:*)"]);
  expect(log.open).toMatchObject([{ from: "bob" }]);
});
