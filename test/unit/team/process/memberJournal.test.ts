import { expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../../../src/agent/anthropicModel.ts";
import { startMessagesServer } from "../../../../src/demo/messagesServer.ts";
import { call } from "../../../../src/demo/script.ts";
import type { TeamEvent } from "../../../../src/protocol/events.ts";
import { startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
import { eventually } from "../../../support/eventually.ts";
import { memberOptions, spawnAlice } from "../../../support/memberProcess.ts";
import { calls, script, team } from "../../../support/teamScripts.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

it.each([
  [{ muster: { by: "policy" } }, "policy"],
  [{ muster: { by: "nobody" } }, "person"],
  [{}, "person"],
])("a decision is told with who made it, and why: an answer with %j is by the %s", async (more, by) => {
  await using temp = await openTempStore();
  const { inboxes } = temp.store;
  await createDemo(temp.store, "alice");
  const server = await startMessagesServer(
    team({ alice: script(calls(call("Bash", { command: "touch a" })), "Fine.") }),
  );
  onTestFinished(() => server.close());
  const member = await startMemberProcess({
    ...memberOptions(temp.store, temp.root),
    ...(await spawnAlice(temp.store)),
    model: createAnthropicModel({ apiKey: async () => "k", baseUrl: server.url }),
  });
  const events: TeamEvent[] = [];
  member.events((event) => events.push(event));
  await inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "Touch it." });
  const asked = await eventually("her request", () => events.find(({ type }) => type === "request"));
  const answer = { type: "permission_response", request_id: asked.type === "request" && asked.id, ...more };
  const text = JSON.stringify({ ...answer, subtype: "error", error: "Not that one." });
  await inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
  const decided = await eventually("the decision", () => events.find(({ type }) => type === "decision"));
  expect(decided).toMatchObject({ decision: "deny", by, reason: "Not that one." });
  await eventually("her rest", () => member.view.state === "idle");
  member.end();
  await member.ended;
});
