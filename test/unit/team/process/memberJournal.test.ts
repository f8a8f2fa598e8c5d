import { describe, expect, it, onTestFinished } from "vitest";
import { createAnthropicModel } from "../../../../src/agent/anthropicModel.ts";
import { startMessagesServer } from "../../../../src/demo/messagesServer.ts";
import { call } from "../../../../src/demo/script.ts";
import type { TeamEvent } from "../../../../src/protocol/events.ts";
import { parseBody, requestIdOf } from "../../../../src/protocol/messageBody.ts";
import type { PendingRequest } from "../../../../src/protocol/request.ts";
import type { Store } from "../../../../src/store/store.ts";
import { type MemberProcessOptions, startMemberProcess } from "../../../../src/team/process/memberProcess.ts";
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

describe("a request that an earlier process of its member left in the lead's inbox", () => {
  const touch = call("Bash", { command: "touch a" });
  const asked = (id: string, more: object) =>
    ({ id, from: "alice", createdAt: 1, task: null, said: null, ...more }) as PendingRequest;
  const touching = (id: string, cwd: string, toolUseId?: string) =>
    asked(id, {
      ...{ kind: "permission", tool: "Bash", toolUseId, input: touch.input, cwd },
      ...{ description: "Bash: touch a", reason: "It writes.", parts: null, guarded: false, suggestions: [] },
    });
  const planning = (id: string) =>
    asked(id, { kind: "plan", planFilePath: "/p", planContent: "2. Touch", version: 1, afterMode: "default" });
  const stop = {
    type: "shutdown_request",
    requestId: "shutdown-1@alice",
    from: "team-lead",
    muster: { undecided: true },
  };

  /** What waits in the lead's inbox. */
  async function waiting({ inboxes }: Store): Promise<{ id: string; call?: string }[]> {
    const { entries } = await inboxes.read("demo", "team-lead");
    return entries.flatMap(({ read, text }) => {
      const { kind, body } = parseBody(text);
      if (read || (kind !== "permission_request" && kind !== "plan_approval_request")) return [];
      const id = requestIdOf(body) ?? "";
      return [kind === "permission_request" ? { id, call: body.tool_use_id } : { id }];
    });
  }

  it.each<{
    why: string;
    reply?: ReturnType<typeof calls>;
    first?: Partial<MemberProcessOptions>;
    next?: Partial<MemberProcessOptions>;
    log?: (id: string, cwd: string, call?: string) => PendingRequest;
    mail?: object;
    left: number;
  }>([
    { why: "is kept where it is asked again", left: 1 },
    { why: "goes where the call is asked about in another folder", next: { cwd: "/" }, left: 1 },
    { why: "goes where a rule allows the call by now", next: { sessionRules: ["Bash(touch a)"] }, left: 0 },
    {
      why: "goes where the plan is another one by now",
      reply: calls(call("ExitPlanMode", { plan: "1. Look" })),
      first: { plansFirst: true },
      log: planning,
      left: 1,
    },
    { why: "goes where its member is asked to stop before it asks again", mail: stop, left: 0 },
  ])("$why", async ({ reply = calls(touch), first = {}, next = {}, log = touching, mail, left }) => {
    await using temp = await openTempStore();
    const { store, root } = temp;
    await createDemo(store, "alice");
    const server = await startMessagesServer(team({ alice: script(reply, "Fine.") }));
    onTestFinished(() => server.close());
    const model = createAnthropicModel({ apiKey: async () => "k", baseUrl: server.url });
    const options = { ...memberOptions(store, root), ...first, model };
    const earlier = await startMemberProcess(options);
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "Go." });
    await eventually("her request", async () => (await waiting(store)).length === 1);
    const before = await waiting(store);
    const [{ id, call: toolUse } = { id: "" }] = before;
    const request = log(id, root, toolUse);
    await store.audit.append({ team: "demo", agent: "team-lead" }, { event: "asked", at: "t", request });
    earlier.end();
    await earlier.ended;
    await store.presence.settled();
    await store.presence.remove("demo", "alice"); // this very process, which still runs, was hers
    expect(await waiting(store)).toEqual(before);
    if (mail) await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: JSON.stringify(mail) });
    const later = await startMemberProcess({ ...options, ...next });
    await eventually("what becomes of it", () => later.view.state === "waiting" || server.requests.length > 1);
    await eventually("what is left", async () => (await waiting(store)).length === left);
    const isSame = left === 1 && Object.keys(next).length === 0 && log === touching;
    expect((await waiting(store)).some((one) => one.id === id)).toBe(isSame);
    later.end();
    await later.ended;
  });
});
