import { describe, expect, it } from "vitest";
import { type Entry, makeEntry } from "../../../../src/protocol/message.ts";
import { createMailReader } from "../../../../src/team/views/mail.ts";
import { type People, peopleOf } from "../../../../src/team/views/people.ts";
import { createThreads } from "../../../../src/team/views/threads.ts";
import { mailIn } from "../../../support/mail.ts";

const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "alice", displayName: "alice", color: "blue" },
]);

let count = 0;
function entry(from: string, minute: number, text: string | object, read = true): Entry {
  count += 1;
  const body = typeof text === "string" ? text : JSON.stringify(text);
  return makeEntry(
    { from, text: body, read },
    `2026-11-27T10:${String(minute).padStart(2, "0")}:00.000Z`,
    `id-${count}`,
  );
}

function threadsOf(inboxes: ReadonlyMap<string, Entry[]>, who: People) {
  return createThreads(who).all(mailIn(inboxes).values());
}

/** The one message of the thread that holds this body. */
function said(body: object) {
  return threadsOf(new Map([["team-lead", [entry("alice", 0, body)]]]), people)[0]?.messages[0];
}

describe("threads", () => {
  it("join both directions of a pair in order of time, newest thread first", () => {
    const threads = threadsOf(
      new Map([
        ["team-lead", [entry("alice", 2, "Which file?"), entry("user", 1, "Go.")]],
        ["alice", [entry("team-lead", 1, "Start."), entry("team-lead", 3, "lib/a.js", false)]],
      ]),
      people,
    );
    expect(threads.map(({ a, b, unread }) => [a.displayName, b.displayName, unread])).toEqual([
      ["team-lead", "alice", 1],
      ["you", "team-lead", 0],
    ]);
    expect(threads[0]?.messages.map(({ from, to, text, delivery }) => [from, to, text, delivery])).toEqual([
      ["team-lead", "alice", "Start.", "read"],
      ["alice", "team-lead", "Which file?", "read"],
      ["team-lead", "alice", "lib/a.js", "delivered"],
    ]);
  });

  it("keep one thread for a pair whose members write each other in any order", () => {
    const threads = threadsOf(
      new Map([
        ["bob", [entry("Ann", 1, "a")]],
        ["Ann", [entry("bob", 2, "b")]],
      ]),
      people,
    );
    expect(threads).toHaveLength(1);
  });

  it.each([
    [{ type: "idle_notification", from: "alice", idleReason: "available" }, "is idle"],
    [
      { type: "idle_notification", from: "alice", idleReason: "available", summary: "[to bob] hi" },
      "is idle, after a message [to bob] hi",
    ],
    [
      { type: "idle_notification", from: "alice", completedTaskId: "2", completedStatus: "resolved" },
      "finished #2 and is idle",
    ],
    [
      {
        type: "idle_notification",
        from: "alice",
        completedTaskId: "2",
        completedStatus: "blocked",
        idleReason: "failed",
      },
      "left #2 open and failed",
    ],
    [
      {
        ...{ type: "idle_notification", from: "alice", completedTaskId: "2", completedStatus: "resolved" },
        ...{ summary: "[to bob] hi", muster: { waitsFor: "#9 after #6, #7" } },
      },
      "finished #2 and is idle: #9 after #6, #7, after a message [to bob] hi",
    ],
    [{ type: "idle_notification", from: "alice", idleReason: "failed", failureReason: "no key" }, "failed: no key"],
    [{ type: "idle_notification", from: "alice", idleReason: "interrupted" }, "was interrupted"],
    [{ type: "task_assignment", taskId: "1", subject: "Add tests" }, "gave #1 Add tests"],
    [{ type: "task_completed", taskId: "1" }, "finished #1"],
    [{ type: "shutdown_request", requestId: "r", reason: "all done" }, "asks to stop: all done"],
    [{ type: "shutdown_approved", requestId: "r", from: "alice" }, "stops"],
    [{ type: "shutdown_rejected", requestId: "r", from: "alice", reason: "not yet" }, "does not stop: not yet"],
    [
      { type: "plan_approval_request", from: "alice", planContent: "intro\n## Plan: Do it\n1. x" },
      "sent a plan: Do it",
    ],
    [{ type: "plan_approval_response", approved: true }, "approved the plan"],
    [{ type: "plan_approval_response", approved: false, feedback: "smaller" }, "sent the plan back: smaller"],
    [
      {
        type: "permission_request",
        agent_id: "alice",
        tool_name: "Bash",
        tool_use_id: "t",
        input: { command: "npm test" },
      },
      "asks to use Bash: npm test",
    ],
    [{ type: "permission_response", request_id: "p", subtype: "success" }, "allowed it"],
    [{ type: "permission_response", request_id: "p", subtype: "error", error: "no" }, "refused it: no"],
    [{ type: "sandbox_permission_request", hostPattern: { host: "example.com" } }, "asks to reach: example.com"],
    [{ type: "sandbox_permission_response", host: "example.com", allow: false }, "refused to reach: example.com"],
    [{ type: "mode_set_request", mode: "bypassPermissions" }, "set the mode to Allow everything"],
    [{ type: "mode_set_request", mode: "one-of-tomorrow" }, "set the mode to one-of-tomorrow"],
    [{ type: "team_permission_update" }, "changed what the team may do"],
    [{ type: "teammate_terminated", message: "bob has shut down." }, "bob has shut down."],
    [{ type: "dance", steps: 3 }, "sent something that this version does not know: dance"],
  ])("read %j as a sentence, with its JSON beside it", (body, sentence) => {
    const message = said(body);
    expect(message?.text).toBe(sentence);
    expect(JSON.parse(message?.json ?? "null")).toMatchObject(body);
  });

  it("show text that only looks like JSON as it is", () => {
    expect(said({ no: "type" })).toMatchObject({ kind: "message", text: '{"no":"type"}', json: null });
  });

  it("fit into one message of the panel, whatever their script", () => {
    const entries = Array.from({ length: 100 }, (_, minute) => entry("alice", minute % 60, "说".repeat(8_000)));
    const [thread] = threadsOf(new Map([["team-lead", entries]]), people);
    expect(Buffer.byteLength(JSON.stringify(thread))).toBeLessThan(192 * 1024);
    expect(thread?.messages.length).toBeGreaterThan(3);
    expect((thread?.messages.length ?? 0) + (thread?.omitted ?? 0)).toBe(100);
  });

  it("are bounded: the newest messages stay, and the rest is counted", () => {
    const entries = Array.from({ length: 250 }, (_, n) => entry("alice", 0, `m${n}`));
    const [thread] = threadsOf(new Map([["team-lead", entries]]), people);
    expect(thread).toMatchObject({ omitted: 150 });
    expect(thread?.messages.map(({ text }) => text).at(-1)).toBe("m249");
    const [long] = threadsOf(new Map([["team-lead", [entry("alice", 0, "x".repeat(20_000))]]]), people);
    expect(long?.messages[0]?.text.length).toBeLessThan(8_100);
    expect(long?.messages[0]?.text).toContain("12000 characters more");
    const [longer] = threadsOf(new Map([["team-lead", [entry("alice", 0, "x".repeat(8_001))]]]), people);
    expect(longer?.messages[0]?.text).toMatch(/x\n… 1 character more$/);
  });
});

it("a request that waits for the person is not unread mail", () => {
  const plan = { type: "plan_approval_request", from: "alice", planContent: "p" };
  const entries = [entry("alice", 1, plan, false), entry("alice", 1, "hello", false), entry("alice", 1, "old")];
  expect(mailIn(new Map([["team-lead", entries]])).get("team-lead")?.unread).toBe(1);
});

describe("threads that are made again", () => {
  const inboxes = new Map([
    ["team-lead", { entries: [entry("alice", 1, "One.")], faults: [] }],
    ["alice", { entries: [entry("team-lead", 2, "Two.")], faults: [] }],
    ["bob", { entries: [entry("team-lead", 3, "Three.", false)], faults: [] }],
  ]);
  const members = ["team-lead", "alice", "bob"].map((name) => ({ agentId: name, name }));
  const sources = { config: { name: "t", members }, presence: new Map(), archives: new Map(), finishedAt: null };

  it("are the same objects, but for those of a recipient whose inbox changed", () => {
    const mailOf = createMailReader();
    const make = createThreads(people).all;
    const before = make(mailOf({ ...sources, inboxes }).values());
    const grown = [...(inboxes.get("alice")?.entries ?? []), entry("team-lead", 4, "Four.")];
    const after = make(
      mailOf({ ...sources, inboxes: new Map(inboxes).set("alice", { entries: grown, faults: [] }) }).values(),
    );
    expect(after.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
      ["One.", "Two.", "Four."],
      ["Three."],
    ]);
    expect(after[1]).toBe(before[0]);
    expect(after[0]).not.toBe(before[1]);
  });

  it("are made anew where a recipient has left, and when a name becomes known", () => {
    const mailOf = createMailReader();
    let known = peopleOf([]);
    const make = createThreads((name) => known(name)).all;
    const before = make(mailOf({ ...sources, inboxes }).values());
    const left = { ...sources, config: { name: "t", members: members.slice(0, 2) } };
    const after = make(mailOf({ ...left, inboxes }).values());
    expect(after[0]).toMatchObject({ unread: 0, messages: [{ delivery: "dead" }] });
    expect(after[1]).toBe(before[1]);
    known = peopleOf([{ name: "alice", displayName: "Alice", color: "blue" }]);
    expect(make(mailOf({ ...left, inboxes }).values())[1]?.a).toMatchObject({ displayName: "Alice" });
  });
});
