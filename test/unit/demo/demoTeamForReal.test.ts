import { expect, it } from "vitest";
import { createDemoScript, DEMO_GOAL, DEMO_PERMISSION_MODE } from "../../../src/demo/demoTeam.ts";
import type { PendingRequest } from "../../../src/protocol/request.ts";
import { runSuite, writeSample } from "../../support/sampleFolder.ts";
import { openTeamHost } from "../../support/teamHost.ts";

const ofKind = (kind: PendingRequest["kind"]) => (request: PendingRequest) => request.kind === kind;

it("the demo team finishes in the real runtime, with a plan sent back and a command denied", {
  timeout: 120_000,
}, async () => {
  await using host = await openTeamHost(createDemoScript({ quick: true }), { permissionMode: DEMO_PERMISSION_MODE });
  await writeSample(host.cwd);
  host.session.start(DEMO_GOAL);
  await host.decide(await host.request(ofKind("plan")), {
    kind: "reject",
    feedback: "Say what happens\nwith 0 pieces.",
  });
  await host.decide(await host.request(ofKind("permission")), { kind: "deny", reason: "Not yet." });
  const revised = await host.request(ofKind("plan"));
  expect(revised).toMatchObject({ kind: "plan", version: 2, afterMode: "acceptEdits" });
  expect(revised.kind === "plan" && revised.planContent).toContain("> Say what happens\n> with 0 pieces.\n\nWorked in");
  await host.decide(revised, { kind: "approve", mode: "acceptEdits" });
  await host.decide(await host.request(ofKind("permission")), { kind: "allow", scope: "session" });
  const rest = await host.session.waitForRest(AbortSignal.timeout(100_000));

  expect(host.server.failures).toEqual([]);
  expect(rest.kind).toBe("deleted");
  expect(await runSuite(host.cwd)).toMatchObject({ exit: 0 });

  // theo was idle when nora completed the second blocker: it claimed the last task without mail and without a request.
  const { events } = host;
  const freed = events.findIndex(
    (event) => event.type === "task" && event.task.id === "1" && event.task.status === "completed",
  );
  const claimed = events.findIndex(
    (event) => event.type === "task" && event.task.id === "3" && event.task.owner === "theo",
  );
  const meanwhile = events.slice(freed, claimed);
  expect([freed > 0, claimed > freed]).toEqual([true, true]);
  expect(
    events.slice(0, freed).findLast((event) => event.type === "member_state" && event.member === "theo"),
  ).toMatchObject({ state: "idle" });
  expect(meanwhile.filter((event) => event.type === "message" && event.to === "theo")).toEqual([]);
  expect(meanwhile.filter((event) => event.type === "usage" && event.member === "theo")).toEqual([]);
});
