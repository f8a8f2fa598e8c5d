import { expect, it } from "vitest";
import type { PendingRequest } from "../../../../src/protocol/request.ts";
import { taskSchema } from "../../../../src/protocol/task.ts";
import { taskGraph } from "../../../../src/protocol/taskGraph.ts";
import { teamConfigSchema } from "../../../../src/protocol/team.ts";
import { addAudit, noAudit } from "../../../../src/team/views/activity/auditFacts.ts";
import { createMailFacts } from "../../../../src/team/views/activity/mailFacts.ts";
import { createTimeline } from "../../../../src/team/views/activity/timeline.ts";

const at = "2026-11-27T10:00:00.000Z";
const base = { from: "alice", createdAt: 1, task: null, said: null };

function withdrawnOf(request: PendingRequest) {
  const audit = noAudit();
  addAudit(audit, [
    { event: "asked", at, request },
    { event: "withdrawn", at, id: request.id, from: "alice" },
  ]);
  return audit.facts.at(-1)?.event;
}

it("of what is asked for no more it is told whether it was a plan, whose title its member wrote", () => {
  const plan = { planFilePath: "/p.md", planContent: "# Run npm test", version: 1, afterMode: "default" as const };
  expect(withdrawnOf({ kind: "plan", id: "p", ...base, ...plan })).toEqual({
    ...{ what: "withdrew", title: "Run npm test", plan: true },
  });
  const call = { tool: "Bash", toolUseId: "t", input: { command: "npm test" }, cwd: "/", description: "", reason: "" };
  expect(
    withdrawnOf({ kind: "permission", id: "c", ...base, ...call, parts: null, guarded: false, suggestions: [] }),
  ).toEqual({ what: "withdrew", title: "Run npm test" });
});

it("of a message it is told whether its text is a sentence of ours", () => {
  const entry = (text: string) => ({ from: "bob", text, timestamp: at, read: false });
  const unknown = "sent something that this version does not know: dance";
  const facts = createMailFacts("alice")([entry(JSON.stringify({ type: "dance" })), entry(unknown)]);
  expect(facts.map(({ event }) => event)).toEqual([
    { what: "wrote", text: unknown, ours: true },
    { what: "wrote", text: unknown },
  ]);
});

it.each([
  ["has failed (The API failed (boom). Wait a little, then try again).", "failed"],
  ['was ended (a (b). c). 2 task(s) were unassigned: #1 "x (y). z", #2 "b".', "ended"],
  ['was ended (a (b). c). 1 message(s) to it were not read: bob: "hi".', "ended"],
])("why a member left is told whole: %s", (what, how) => {
  const audit = noAudit();
  const text = JSON.stringify({ type: "teammate_terminated", message: `alice ${what}` });
  addAudit(audit, [{ event: "left", at, member: "alice", text, urgent: true }]);
  const reason = how === "failed" ? "The API failed (boom). Wait a little, then try again" : "a (b). c";
  expect(audit.facts[0]?.event).toEqual({ what: "left", how, reason });
});

it("what a file says happened at a time that no date holds is left out, as its time is not known", () => {
  const nanoseconds = 1_796_000_000_123_000_000;
  const timeline = (time: number) => {
    const muster = { claim: { nonce: "n", by: "alice", at: time, leaseMs: 1 }, completedAt: time };
    const task = taskSchema.parse({ id: "1", subject: "Fix", status: "completed", metadata: { muster } });
    const member = { agentId: "alice@crew", name: "alice", joinedAt: time };
    const { members } = teamConfigSchema.parse({ name: "crew", members: [member] });
    const sources = { mail: [], audit: noAudit(), graph: taskGraph([task]), members, transcripts: new Map(), seen: [] };
    return createTimeline()(sources).map(({ event, at: when }) => [event.what, when]);
  };
  expect(timeline(nanoseconds)).toEqual([]);
  expect(timeline(-nanoseconds)).toEqual([]);
  expect(timeline(8.64e15).toSorted()).toEqual([
    ["finished", 8.64e15],
    ["joined", 8.64e15],
    ["started", 8.64e15],
  ]);
});
