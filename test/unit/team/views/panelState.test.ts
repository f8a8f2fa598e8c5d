import { describe, expect, it } from "vitest";
import { makeEntry } from "../../../../src/protocol/message.ts";
import type { PermissionRequest, PlanRequest } from "../../../../src/protocol/request.ts";
import { taskSchema } from "../../../../src/protocol/task.ts";
import { taskGraph } from "../../../../src/protocol/taskGraph.ts";
import { apiWait } from "../../../../src/team/views/apiWait.ts";
import { factsOfPresence, type MemberFacts } from "../../../../src/team/views/memberRows.ts";
import { type PanelFacts, panelState } from "../../../../src/team/views/panelState.ts";
import { peopleOf } from "../../../../src/team/views/people.ts";
import { createTaskRows } from "../../../../src/team/views/taskRows.ts";
import { mailIn } from "../../../support/mail.ts";

const people = peopleOf([
  { name: "team-lead", displayName: "team-lead", color: null },
  { name: "alice", displayName: "alice", color: "blue" },
  { name: "bob", displayName: "Bob", color: "green" },
]);

const graph = taskGraph(
  [
    { id: "1", subject: "Fix offers", status: "in_progress", owner: "alice", blocks: ["3"] },
    { id: "2", subject: "Fix table", status: "completed", owner: "bob", blocks: ["3"] },
    { id: "3", subject: "Receipt", status: "pending", owner: "bob", blockedBy: ["1", "2"] },
    { id: "4", subject: "hidden", status: "in_progress", owner: "bob", metadata: { _internal: true } },
  ].map((task) => taskSchema.parse(task)),
);

const base = { from: "alice", said: "I run the tests.", task: "1" };
const command: PermissionRequest = {
  ...{ ...base, kind: "permission", id: "perm-1", createdAt: 20, tool: "Bash", toolUseId: "t", cwd: "/p" },
  ...{ input: { command: "npm test" }, description: "Bash: npm test", reason: "No rule covers npm.", guarded: false },
  parts: [{ text: "npm test", covered: false }],
  suggestions: [
    {
      ...{ type: "addRules", behavior: "allow", destination: "session" },
      rules: [{ toolName: "Bash", ruleContent: "npm test" }],
    },
  ],
};
const plan: PlanRequest = {
  ...{ ...base, kind: "plan", id: "plan-1", createdAt: 10, from: "bob", task: null, said: null },
  ...{ planFilePath: "/plans/x.md", planContent: "# Fix the table\n1. …", version: 2, afterMode: "acceptEdits" },
};

function member(name: string, more: Partial<MemberFacts> = {}): MemberFacts {
  return {
    name,
    state: "idle",
    since: 5,
    reason: null,
    activity: null,
    tokens: 7,
    backend: "in-process",
    mode: "default",
    held: false,
    ...more,
  };
}

function facts(more: Partial<PanelFacts> = {}): PanelFacts {
  return {
    ...{
      team: "t",
      title: "till",
      goal: "Fix it",
      readOnly: null,
      canContinue: false,
      scripted: true,
      folder: "/p",
      graph,
      mail: new Map(),
      people,
    },
    ...{
      members: [],
      requests: [],
      previews: new Map(),
      paused: null,
      answer: null,
      tokens: 0,
      cost: null,
      finished: null,
    },
    ...more,
  };
}

function row(one: MemberFacts, more: Partial<PanelFacts> = {}) {
  const [found] = panelState(facts({ ...more, members: [one] })).members;
  return { state: found?.state, detail: found?.detail };
}

describe("what needs the person", () => {
  it("is every request, oldest first, with what it is about", () => {
    const { attention } = panelState(facts({ requests: [command, plan] }));
    expect(attention).toEqual([
      {
        ...{ kind: "plan", id: "plan-1", createdAt: 10, said: null, task: null, title: "Plan: Fix the table" },
        ...{ from: people("bob"), plan: plan.planContent, version: 2 },
        ...{ afterMode: "acceptEdits", modes: ["acceptEdits", "default"] },
      },
      {
        ...{ kind: "permission", id: "perm-1", createdAt: 20, said: "I run the tests.", title: "Run npm test" },
        ...{ task: { id: "1", subject: "Fix offers" }, from: people("alice"), tool: "Bash" },
        preview: { type: "command", cwd: "/p", text: "npm test", parts: command.parts },
        ...{ reason: "No rule covers npm.", warnings: [] },
        ...{ rules: ["Bash(npm test)"], changeable: ["Bash(npm test)"] },
      },
    ]);
  });

  it("says in an edit who else has changed the file, by the names that the person knows", () => {
    const edit: PermissionRequest = {
      ...command,
      ...{ tool: "Edit", input: { file_path: "a.js", old_string: "a", new_string: "b\u200b" }, parts: null },
    };
    const asked: string[] = [];
    const othersOf = ({ id, from }: PermissionRequest) => {
      asked.push(`${id} of ${from}`);
      return ["bob"];
    };
    const { attention } = panelState(facts({ requests: [edit, plan], othersOf }));
    expect(attention.at(-1)).toMatchObject({
      warnings: ["Contains 1 invisible character: ⟨U+200B⟩.", "Bob has changed this file too."],
    });
    expect(asked).toEqual(["perm-1 of alice"]);
  });

  it("is also a lead that rests after a message to the person", () => {
    const state = panelState(facts({ members: [member("team-lead")], answer: { text: "Which one?", since: 15 } }));
    expect(state.attention).toEqual([expect.objectContaining({ kind: "answer", text: "Which one?", createdAt: 15 })]);
    expect(state.members[0]).toMatchObject({ state: "waiting", detail: "an answer", waiting: 1 });
  });
});

describe("a lead whose run failed", () => {
  it("waits for the person with the reason", () => {
    const answer = { text: "The key was rejected.", since: 15, failure: "other" as const };
    const state = panelState(facts({ members: [member("team-lead")], answer }));
    expect(state.members[0]).toMatchObject({ state: "waiting", detail: "another try", waiting: 1 });
    expect(state.attention[0]).toMatchObject({
      kind: "answer",
      failure: "other",
      title: "team-lead could not go on",
      text: answer.text,
    });
  });
});

describe("a member's line", () => {
  it("says what stands behind its state", () => {
    expect(row(member("alice", { state: "working" }))).toEqual({ state: "working", detail: "#1 Fix offers" });
    const activity = { tool: "Bash", argument: "npm test" };
    expect(row(member("alice", { state: "working", activity })).detail).toBe("Bash npm test");
    const waits = apiWait({ reason: "api_refused", cause: "overloaded" }, new Date(2026, 0, 1, 14, 10, 5).getTime());
    const held = panelState(facts({ members: [member("alice", { state: "working", activity, reason: waits })] }));
    expect(held.members[0]).toMatchObject({
      ...{ state: "working", waitsForApi: true, detail: "until 14:10:05: The API is overloaded." },
    });
    expect(row(member("bob")).detail).toBe("#3 after #1");
    expect(row(member("alice")).detail).toBe("waits for a message, #1 is open");
    expect(row(member("alice", { reason: "interrupted" })).detail).toBe("interrupted, waits for a message");
    expect(row(member("carol")).detail).toBe("no task is ready for it");
    expect(row(member("carol"), { graph: taskGraph([]) }).detail).toBe("no open task");
    expect(row(member("team-lead")).detail).toBe("");
    expect(row(member("alice", { state: "failed", reason: "No key." }))).toEqual({
      state: "failed",
      detail: "No key.",
    });
  });

  it("is never empty while the member waits", () => {
    expect(row(member("alice", { state: "working" }), { requests: [command] })).toEqual({
      state: "waiting",
      detail: "Run npm test",
    });
    for (const state of ["failed", "idle"] as const)
      expect(row(member("alice", { state }), { requests: [command] })).toMatchObject({ state: "waiting" });
    expect(row(member("alice"), { requests: [command, { ...command, id: "2" }] }).detail).toBe("2 requests");
    expect(row(member("bob"), { requests: [plan] }).detail).toBe("Plan: Fix the table");
    expect(row(member("bob", { state: "waiting" })).detail).toBe("a decision");
  });

  it("of another process is what its presence tells, and suspect without a beat", () => {
    const presence = {
      ...{ incarnation: "i", state: "working" as const, since: 1, beat: 100_000, pid: 1, host: "h", startTime: null },
      tokens: 9,
    };
    expect(factsOfPresence("x", presence, "tmux", 105_000)).toMatchObject({ state: "working", since: 1, tokens: 9 });
    const waits = { ...presence, state: "working" as const, reason: "until 14:10:05: The API is overloaded." };
    const [held] = panelState(facts({ members: [factsOfPresence("alice", waits, "tmux", 110_000)] })).members;
    expect(held).toMatchObject({ state: "working", waitsForApi: true, detail: waits.reason });
    expect(factsOfPresence("x", presence, "tmux", 130_000)).toMatchObject({ state: "suspect", since: 100_000 });
    expect(factsOfPresence("x", { ...presence, state: "dead" }, null, 130_000)).toMatchObject({ state: "dead" });
    expect(factsOfPresence("x", null, null, 0)).toMatchObject({ state: "unknown", since: null });
  });
});

it("the figures count what is shown: open tasks, unread mail", () => {
  const entry = (read: boolean) => makeEntry({ from: "alice", text: "hi", read }, "2026-11-27T10:00:00Z", `${read}`);
  const mail = mailIn(new Map([["bob", [entry(true), entry(false)]]]));
  const state = panelState(facts({ mail, members: [member("bob")] }));
  expect(state).toMatchObject({ tasks: { open: 2, total: 3 }, unread: 1, scripted: true, title: "till" });
  expect(state.members[0]?.unread).toBe(1);
});

it("tasks come in order of numbers, internal ones left out, long descriptions cut", () => {
  const long = taskGraph(
    [
      { id: "10", subject: "b" },
      { id: "9", subject: "a", description: "x".repeat(9_000) },
    ].map((task) => taskSchema.parse({ ...task, status: "pending" })),
  );
  const rows = createTaskRows(people)(long);
  expect(rows.map(({ id }) => id)).toEqual(["9", "10"]);
  expect(rows[0]?.description).toHaveLength(2_001);
  expect(
    createTaskRows(people)(graph).map(({ id, owner, openBlockers }) => [id, owner?.displayName, openBlockers]),
  ).toEqual([
    ["1", "alice", []],
    ["2", "Bob", []],
    ["3", "Bob", ["1"]],
  ]);
});

it("a task in progress shows since when (row 60)", () => {
  const claim = { nonce: "n", by: "alice", at: 9_000, leaseMs: 1 };
  const status = "in_progress";
  const tasks = [
    { id: "1", subject: "ours", status, owner: "alice", metadata: { muster: { claim } } },
    { id: "2", subject: "theirs", status, owner: "alice" },
    { id: "3", subject: "waits", status: "pending", metadata: { muster: { claim } } },
  ];
  const rows = createTaskRows(people)(taskGraph(tasks.map((task) => taskSchema.parse(task))));
  expect(rows.map(({ since }) => since)).toEqual([9_000, null, null]);
});

it("a task's row is the same object until it, a blocker or its owner's name changes", () => {
  let known = people;
  const make = createTaskRows((name) => known(name));
  const tasks = [...graph.tasks.values()];
  const rows = make(graph);
  expect(make(taskGraph(tasks)).map((row, at) => row === rows[at])).toEqual([true, true, true]);
  const done = make(taskGraph(tasks.map((task) => (task.id === "1" ? { ...task, status: "completed" } : task))));
  expect(done.map((row, at) => row === rows[at])).toEqual([false, true, false]);
  expect(done[2]?.openBlockers).toEqual([]);
  known = peopleOf([{ name: "bob", displayName: "Robert", color: "green" }]);
  expect(make(graph).map(({ owner }) => owner?.displayName)).toEqual(["alice", "Robert", "Robert"]);
});

it("of many shared files the newest are sent, one at least of each member, and how many more there are", () => {
  const files = (count: number, ...names: string[]) =>
    Array.from({ length: count }, (_, at) => ({ file: `${names.join("+")} ${at}`, members: names.map(people) }));
  const sent = (...shared: PanelFacts["shared"] & {}) => {
    const { shared: found = [], moreShared } = panelState(facts({ shared }));
    return [found.length, moreShared, found.slice(20).map(({ file }) => file)];
  };
  expect(sent()).toEqual([0, undefined, []]);
  expect(sent(...files(20, "alice", "bob"))).toEqual([20, undefined, []]);
  expect(sent(...files(35, "alice", "bob"))).toEqual([20, 15, []]);
  const late = [...files(30, "alice", "bob"), ...files(3, "bob", "team-lead"), ...files(2, "cleo", "dora")];
  expect(sent(...late)).toEqual([22, 13, ["bob+team-lead 0", "cleo+dora 0"]]);
});
