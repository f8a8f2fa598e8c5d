import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { useCliCommands } from "../support/cliCommands.ts";
import { inboxOutput, sendOutput, statusOutput, tasksOutput, teamsOutput } from "../support/cliContract.ts";
import { scriptingTeam } from "../support/scriptingTeam.ts";

const cli = useCliCommands();
const { muster, done, refused, inboxFile, slug } = cli;

describe("reading", () => {
  test("teams, status and tasks have the contract's shapes", async () => {
    await cli.store.tasks.create("demo", { subject: "First" });
    await cli.store.tasks.create("demo", { subject: "Second", blockedBy: ["1"], owner: "alice" });
    const teams = await done(teamsOutput, ["teams"]);
    expect(teams.root).toBe(cli.home.root);
    expect(teams.teams).toMatchObject([
      { name: "demo", generation: "G1", members: 3, tasks: { pending: 2 }, requests: 0, live: false },
    ]);
    const status = await done(statusOutput, ["status", "demo"]);
    expect(status.team).toMatchObject({ name: "demo", displayName: "demo", leadAgentId: "team-lead@demo" });
    expect(status.members.map(({ displayName, color, backend }) => [displayName, color, backend])).toEqual([
      ["team-lead", null, null],
      ["alice", "blue", "in-process"],
      ["研究员", "green", "in-process"],
    ]);
    expect(status.tasks).toEqual({ pending: 2, in_progress: 0, completed: 0, blocked: 1 });
    const { tasks } = await done(tasksOutput, ["tasks", "demo"]);
    expect(tasks.map(({ id, blocks, openBlockers, owner }) => [id, blocks, openBlockers, owner])).toEqual([
      ["1", ["2"], [], null],
      ["2", [], ["1"], "alice"],
    ]);
  });

  test("a team is found by its display name, a member by name, display name and name@team", async () => {
    (await scriptingTeam(cli.home.root, "研究 Team")).dispose();
    const { team } = await done(statusOutput, ["status", "研究 Team"]);
    expect(team).toMatchObject({ displayName: "研究 Team" });
    const member = await slug();
    for (const agent of [member, "研究员", `${member}@demo`])
      expect((await done(inboxOutput, ["inbox", "demo", agent])).agent).toBe(member);
    await refused("unknown_team", 1, ["status", "nope"]);
    expect(await refused("unknown_member", 1, ["inbox", "demo", "bob"])).toContain("alice");
  });

  test("an inbox shows what is archived first, kinds and bodies, and marks nothing", async () => {
    await cli.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "old" });
    await cli.store.inboxes.retire("demo", "alice");
    await cli.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "hello" });
    const request = { type: "shutdown_request", requestId: "shutdown-1@alice", from: "team-lead" };
    await cli.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: JSON.stringify(request) });
    await cli.store.inboxes.send("demo", {
      from: "team-lead",
      to: ["alice"],
      text: '{"type":"from_the_future","x":1}',
    });
    const before = readFileSync(inboxFile("alice"), "utf8");
    const { entries } = await done(inboxOutput, ["inbox", "demo", "alice"]);
    expect(entries.map(({ kind, body }) => [kind, body])).toEqual([
      ["message", null],
      ["message", null],
      ["shutdown_request", request],
      ["unknown", { type: "from_the_future", x: 1 }],
    ]);
    expect(entries[0]?.text).toBe("old");
    expect((await done(inboxOutput, ["inbox", "demo", "alice", "--unread"])).entries).toHaveLength(4);
    expect(readFileSync(inboxFile("alice"), "utf8")).toBe(before);
  });

  test("the inbox of a member that is gone still opens", async () => {
    await cli.store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "hello" });
    await cli.store.teams.removeMember("demo", "alice");
    expect((await done(inboxOutput, ["inbox", "demo", "alice"])).entries).toHaveLength(1);
  });

  test("without --json a person reads aligned lines, and nothing acts on the terminal", async () => {
    await cli.store.tasks.create("demo", { subject: "Say \u001b[31mred\u0007" });
    const { stdout, code } = await muster(["tasks", "demo"]);
    expect(code).toBe(0);
    expect(stdout).toBe("ID  STATUS   OWNER  SUBJECT\n 1  pending  -      Say \\x1b[31mred\\x07\n");
    expect((await muster(["teams"])).stdout).toContain("demo");
    expect((await muster(["status", "demo"])).stdout).toContain("研究员");
    const held = (by: string) => cli.store.teams.updateTeam("demo", { paused: { team: { by, since: 1 } } });
    await held("person");
    expect((await muster(["status", "demo"])).stdout).toContain("not live, paused, ");
    await held("budget");
    expect((await muster(["status", "demo"])).stdout).toContain("paused: its budget is used up");
    await cli.store.teams.updateTeam("demo", { paused: undefined });
    expect((await muster(["status", "demo"])).stdout).not.toContain("paused");
  });
});

describe("send", () => {
  test("by default speaks as the person, without authority, and is found by its id (row 17)", async () => {
    const { sent } = await done(sendOutput, ["send", "demo", "alice", "hello", "--summary", "hi"]);
    expect(sent).toMatchObject([{ to: "alice" }]);
    const { entries } = await done(inboxOutput, ["inbox", "demo", "alice", "--unread"]);
    expect(entries).toMatchObject([
      { from: "user", text: "hello", summary: "hi", msg_id: sent[0]?.msg_id, read: false },
    ]);
    // what gives the person's words authority is an id in the outbox of the lead's own process
    expect(await cli.store.inboxes.wrote("demo", "team-lead", sent[0]?.msg_id ?? "")).toBe(false);
  });

  test("speaks as a member, to all but it, from standard input", async () => {
    const { sent } = await done(sendOutput, ["send", "demo", "*", "-", "--from", "研究员"], { input: "two\nlines\n" });
    expect(sent.map(({ to }) => to)).toEqual(["team-lead", "alice"]);
    const { entries } = await done(inboxOutput, ["inbox", "demo", "team-lead"]);
    expect(entries).toMatchObject([{ from: await slug(), text: "two\nlines", color: "green" }]);
  });

  test("refuses the lead's and the runtime's name, strangers, protocol texts and silence", async () => {
    for (const name of ["team-lead", "TEAM-LEAD", "system", "team-lead@demo"])
      await refused("not_allowed", 1, ["send", "demo", "alice", "stop", "--from", name]);
    await refused("unknown_member", 1, ["send", "demo", "alice", "x", "--from", "bob"]);
    await refused("not_allowed", 1, ["send", "demo", "alice", '{"type":"shutdown_request"}']);
    await refused("usage", 2, ["send", "demo", "alice", "-"], { input: "\n" });
    expect((await done(inboxOutput, ["inbox", "demo", "alice"])).entries).toEqual([]);
  });

  test("an unknown recipient gets nothing, and the sentence names who is there", async () => {
    const sentence = await refused("unknown_member", 1, ["send", "demo", "bob", "hello"]);
    expect(sentence).toContain("alice");
    expect(await cli.store.inboxes.list("demo")).toEqual([]);
  });

  test("a message as large as a file arrives whole", async () => {
    const text = `${"研究".repeat(100_000)} end`;
    await done(sendOutput, ["send", "demo", "alice", "-"], { input: text });
    expect((await done(inboxOutput, ["inbox", "demo", "alice"])).entries[0]?.text).toBe(text);
  });
});
