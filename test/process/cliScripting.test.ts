import { exec } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type * as z from "zod";
import type { Store } from "../../src/store/store.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import {
  claimOutput,
  doctorOutput,
  errorOutput,
  explainLine,
  inboxOutput,
  sendOutput,
  statusOutput,
  taskOutput,
  tasksOutput,
  taskUpdateOutput,
  teamsOutput,
} from "../support/cliContract.ts";
import { type CliHome, type CliOptions, type CliResult, cliHome, runCli } from "../support/runCli.ts";
import { scriptingTeam } from "../support/scriptingTeam.ts";

const cli = useBuiltCli();
let home: CliHome;
let store: Store;

beforeEach(async () => {
  home = cliHome();
  store = await scriptingTeam(home.root);
});
afterEach(async () => {
  // every test leaves files in which nothing is broken
  const result = await muster(["doctor", "--json"]);
  store.dispose();
  home.remove();
  expect(doctorOutput.parse(result.json())).toMatchObject({ ok: true, faults: [] });
});

const muster = (args: readonly string[], options?: CliOptions) => runCli(cli.file, home, args, options);

/** Runs a command that must succeed and gives its checked JSON. */
async function done<S extends z.ZodType>(
  schema: S,
  args: readonly string[],
  options?: CliOptions,
): Promise<z.infer<S>> {
  const result = await muster([...args, "--json"], options);
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  expect(result.stdout).toMatch(/^[^\n]+\n$/);
  return schema.parse(result.json());
}

/** Runs a command that must be refused with this reason; gives its sentence. */
async function refused(reason: string, code: number, args: readonly string[], options?: CliOptions): Promise<string> {
  const result = await muster([...args, "--json"], options);
  const { error } = errorOutput.parse(result.json());
  expect({ code: result.code, reason: error.reason }).toEqual({ code, reason });
  expect(result.stderr).toBe(`muster: ${error.message}\n`);
  return error.message;
}

const inbox = (agent: string) => path.join(home.root, "teams/demo/inboxes", `${agent}.json`);
const slug = async () => (await store.teams.read("demo")).members[2]?.name ?? "";

describe("reading", () => {
  test("teams, status and tasks have the contract's shapes", async () => {
    await store.tasks.create("demo", { subject: "First" });
    await store.tasks.create("demo", { subject: "Second", blockedBy: ["1"], owner: "alice" });
    const teams = await done(teamsOutput, ["teams"]);
    expect(teams.root).toBe(home.root);
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
    store.dispose();
    store = await scriptingTeam(home.root, "研究 Team");
    const { team } = await done(statusOutput, ["status", "研究 Team"]);
    expect(team).toMatchObject({ displayName: "研究 Team" });
    const member = await slug();
    for (const agent of [member, "研究员", `${member}@demo`])
      expect((await done(inboxOutput, ["inbox", "demo", agent])).agent).toBe(member);
    await refused("unknown_team", 1, ["status", "nope"]);
    expect(await refused("unknown_member", 1, ["inbox", "demo", "bob"])).toContain("alice");
  });

  test("an inbox shows what is archived first, kinds and bodies, and marks nothing", async () => {
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "old" });
    await store.inboxes.retire("demo", "alice");
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "hello" });
    const request = { type: "shutdown_request", requestId: "shutdown-1@alice", from: "team-lead" };
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: JSON.stringify(request) });
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: '{"type":"from_the_future","x":1}' });
    const before = readFileSync(inbox("alice"), "utf8");
    const { entries } = await done(inboxOutput, ["inbox", "demo", "alice"]);
    expect(entries.map(({ kind, body }) => [kind, body])).toEqual([
      ["message", null],
      ["message", null],
      ["shutdown_request", request],
      ["unknown", { type: "from_the_future", x: 1 }],
    ]);
    expect(entries[0]?.text).toBe("old");
    expect((await done(inboxOutput, ["inbox", "demo", "alice", "--unread"])).entries).toHaveLength(4);
    expect(readFileSync(inbox("alice"), "utf8")).toBe(before);
  });

  test("the inbox of a member that is gone still opens", async () => {
    await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text: "hello" });
    await store.teams.removeMember("demo", "alice");
    expect((await done(inboxOutput, ["inbox", "demo", "alice"])).entries).toHaveLength(1);
  });

  test("without --json a person reads aligned lines, and nothing acts on the terminal", async () => {
    await store.tasks.create("demo", { subject: "Say \u001b[31mred\u0007" });
    const { stdout, code } = await muster(["tasks", "demo"]);
    expect(code).toBe(0);
    expect(stdout).toBe("ID  STATUS   OWNER  SUBJECT\n 1  pending  -      Say \\x1b[31mred\\x07\n");
    expect((await muster(["teams"])).stdout).toContain("demo");
    expect((await muster(["status", "demo"])).stdout).toContain("研究员");
    const held = (by: string) => store.teams.updateTeam("demo", { paused: { team: { by, since: 1 } } });
    await held("person");
    expect((await muster(["status", "demo"])).stdout).toContain("not live, paused, ");
    await held("budget");
    expect((await muster(["status", "demo"])).stdout).toContain("paused: its budget is used up");
    await store.teams.updateTeam("demo", { paused: undefined });
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
    expect(await store.inboxes.wrote("demo", "team-lead", sent[0]?.msg_id ?? "")).toBe(false);
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
    expect(await store.inboxes.list("demo")).toEqual([]);
  });

  test("a message as large as a file arrives whole", async () => {
    const text = `${"研究".repeat(100_000)} end`;
    await done(sendOutput, ["send", "demo", "alice", "-"], { input: text });
    expect((await done(inboxOutput, ["inbox", "demo", "alice"])).entries[0]?.text).toBe(text);
  });
});

describe("tasks", () => {
  test("are created with everything that an option can say, and an owner is told", async () => {
    await done(taskOutput, ["task", "create", "demo", "--subject", "First"]);
    const { task } = await done(taskOutput, [
      ...["task", "create", "demo", "--subject=Second", "--description", "- with a dash", "--active-form", "Doing it"],
      ...["--owner", "研究员", "--blocked-by", "#1", "--metadata", '{"a":1}'],
    ]);
    expect(task).toMatchObject({
      ...{ id: "2", subject: "Second", description: "- with a dash", activeForm: "Doing it", status: "pending" },
      ...{ owner: await slug(), blockedBy: ["1"], openBlockers: ["1"], metadata: { a: 1 } },
    });
    const { entries } = await done(inboxOutput, ["inbox", "demo", "研究员"]);
    expect(entries).toMatchObject([
      { from: "user", kind: "task_assignment", body: { taskId: "2", assignedBy: "user" } },
    ]);
  });

  test("are updated: blocked ones free others, null removes a key, '' the owner, deleted leaves null", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    const first = await done(taskUpdateOutput, [
      "task",
      "update",
      "demo",
      "1",
      "--add-blocks",
      "2",
      "--owner",
      "alice",
    ]);
    expect(first.task).toMatchObject({ blocks: ["2"], owner: "alice" });
    await done(taskUpdateOutput, ["task", "update", "demo", "1", "--metadata", '{"a":1,"b":2}']);
    const merged = await done(taskUpdateOutput, ["task", "update", "demo", "1", "--metadata", '{"a":null}']);
    expect(merged.task?.metadata).toEqual({ b: 2 });
    const finished = await done(taskUpdateOutput, ["task", "update", "demo", "#1", "--status", "completed"]);
    expect(finished.unblocked).toEqual(["2"]);
    expect((await done(taskUpdateOutput, ["task", "update", "demo", "1", "--owner="])).task?.owner).toBe(null);
    expect(await done(taskUpdateOutput, ["task", "update", "demo", "2", "--status", "deleted"])).toEqual({
      task: null,
      unblocked: [],
    });
    expect((await done(taskOutput, ["task", "create", "demo", "--subject", "Third"])).task.id).toBe("3");
  });

  test("refuse what would break them", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    await done(taskUpdateOutput, ["task", "update", "demo", "2", "--add-blocked-by", "1"]);
    await refused("cycle", 1, ["task", "update", "demo", "1", "--add-blocked-by", "2"]);
    await refused("cycle", 1, ["task", "update", "demo", "1", "--add-blocks", "1"]);
    await refused("unknown_task", 1, ["task", "update", "demo", "7", "--status", "completed"]);
    await refused("unknown_task", 1, ["task", "update", "demo", "../1", "--status", "completed"]);
    await refused("not_allowed", 1, ["task", "update", "demo", "1", "--status", "in_progress"]);
    await refused("blocked", 1, ["task", "update", "demo", "2", "--status", "in_progress", "--owner", "alice"]);
    await refused("unknown_member", 1, ["task", "update", "demo", "1", "--owner", "bob"]);
    await refused("usage", 2, ["task", "update", "demo", "1"]);
    await refused("usage", 2, ["task", "update", "demo", "1", "--status", "done"]);
    await refused("usage", 2, ["task", "update", "demo", "1", "--metadata", "[1]"]);
    await refused("usage", 2, ["task", "create", "demo"]);
    await refused("usage", 2, ["task", "create", "demo", "--subject", "x", "--blocks", "1;2"]);
    expect((await done(tasksOutput, ["tasks", "demo"])).tasks).toHaveLength(2);
  });

  test("are claimed once, in order, one at a time", async () => {
    for (const subject of ["First", "Second", "Third"])
      await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    await done(taskUpdateOutput, ["task", "update", "demo", "2", "--add-blocked-by", "1"]);
    const claim = (...args: string[]) => muster(["task", "claim", "demo", ...args, "--json"]);
    const outcome = async (result: Promise<CliResult>) => {
      const { code, json } = await result;
      return { code, ...claimOutput.parse(json()) };
    };
    expect(await outcome(claim("2", "--as", "alice"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "blocked",
      task: { id: "2" },
    });
    expect(await outcome(claim("--next", "--as", "alice"))).toMatchObject({
      ...{ code: 0, claimed: true, task: { id: "1", owner: "alice", status: "in_progress" } },
    });
    expect(await outcome(claim("1", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "already_claimed",
      task: { owner: "alice" },
    });
    expect(await outcome(claim("3", "--as", "alice"))).toMatchObject({ code: 1, claimed: false, reason: "agent_busy" });
    expect(await outcome(claim("9", "--as", "alice"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "unknown_task",
      task: null,
    });
    expect(await outcome(claim("--next", "--as", "研究员"))).toMatchObject({ code: 0, task: { id: "3" } });
    await done(taskUpdateOutput, ["task", "update", "demo", "3", "--status", "completed"]);
    expect(await outcome(claim("3", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "already_resolved",
    });
    expect(await outcome(claim("--next", "--as", "研究员"))).toMatchObject({
      code: 1,
      claimed: false,
      reason: "unknown_task",
      task: null,
    });
    await refused("unknown_member", 1, ["task", "claim", "demo", "--next", "--as", "bob"]);
    await refused("usage", 2, ["task", "claim", "demo", "--as", "alice"]);
    await refused("usage", 2, ["task", "claim", "demo", "1", "--next", "--as", "alice"]);
    await refused("usage", 2, ["task", "claim", "demo", "1"]);
  });
});

describe("explain", () => {
  const base = {
    rules: { allow: ["Bash(npm test)"], ask: [], deny: ["Read(~/secret)"] },
    cwd: "{PROJ}",
    mode: "default",
  };
  const cases = [
    { ...base, id: "A", tool: "Bash", input: { command: "npm test" } },
    { ...base, id: "B", tool: "Bash", input: { command: "npm publish" } },
    {
      ...base,
      id: "C",
      tool: "Read",
      input: { file_path: "{PROJ}/link" },
      fixture: { symlinks: { "{PROJ}/link": "{HOME}/secret" } },
    },
    {
      ...base,
      id: "D",
      tool: "Write",
      input: { file_path: "{TEAMS}/t/config.json", content: "x" },
      why: "not looked at",
    },
  ];
  const decided = (result: CliResult) => result.lines().map((line) => explainLine.parse(line));

  test("decides cases in an array or in lines", async () => {
    const file = path.join(home.project, "cases");
    for (const text of [JSON.stringify(cases, null, 1), `${cases.map((one) => JSON.stringify(one)).join("\n")}\n`]) {
      writeFileSync(file, text);
      const result = await muster(["explain", "--cases", "cases"]);
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
      expect(decided(result).map(({ id, decision, rule }) => [id, decision, rule])).toEqual([
        ["A", "allow", "Bash(npm test)"],
        ["B", "ask", null],
        ["C", "deny", expect.stringMatching(/^Read\(.*secret\)$/)],
        ["D", "deny", null],
      ]);
    }
  });

  test("refuses what is not there and what are no cases, and sets nothing up outside of its folder", async () => {
    await refused("usage", 2, ["explain"]);
    await refused("usage", 2, ["explain", "--cases", "nowhere"]);
    expect(await refused("usage", 2, ["explain", "--cases", "-"], { input: '{"id":"A"}' })).toContain("Case 1");
    expect(await refused("usage", 2, ["explain", "--cases", "-"], { input: "{" })).toContain("Line 1");
    const escaping = { ...cases[0], fixture: { files: [path.join(home.project, "made")] } };
    await refused("not_allowed", 1, ["explain", "--cases", "-"], { input: JSON.stringify(escaping) });
    expect(existsSync(path.join(home.project, "made"))).toBe(false);
  });
});

describe("usage", () => {
  test("help and version exit 0, an unknown option exits 2 and is named", async () => {
    expect((await muster(["--version"])).stdout).toBe(`${JSON.parse(readFileSync("package.json", "utf8")).version}\n`);
    expect(await muster(["--help"])).toMatchObject({ code: 0, stderr: "" });
    for (const command of ["teams", "run", "demo", "task claim", "teammate"])
      expect((await muster([...command.split(" "), "--help"])).stdout).toContain(`muster ${command}`);
    expect(await refused("usage", 2, ["teams", "--frm", "x"])).toContain("--frm");
    expect(await refused("usage", 2, ["tems"])).toContain("teams");
    await refused("usage", 2, []);
    await refused("usage", 2, ["tasks"]);
  });

  test("an error is one line on standard error, and nothing on standard output without --json", async () => {
    for (const [args, code] of [
      [["status", "nope"], 1],
      [["teams", "--frm"], 2],
    ] as const) {
      const result = await muster(args);
      expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: "" });
      expect(result.stderr).toMatch(/^muster: [^\n]+\n$/);
    }
  });

  test("what comes later is known and says so", async () => {
    await refused("unknown_team", 1, ["attach", "nowhere", "alice"]);
    await refused("usage", 2, ["run", "goal", "--template=x"]);
  });

  test("a teammate must say who it is, and be in its team", async () => {
    await refused("usage", 2, ["teammate"]);
    await refused("usage", 2, ["teammate", "--agent-id", "alice"]);
    await refused("usage", 2, ["teammate", "--agent-id", "alice@demo", "--agent-name", "bob", "--team-name", "demo"]);
    const alice = ["teammate", "--agent-id", "alice@nowhere"];
    await refused("unknown_team", 1, alice);
    await refused("not_ready", 1, [...alice, "--spawn-file", "/nowhere/spawn.json"]);
  });

  test("the state root is --root, then $CLAUDE_CONFIG_DIR, then ~/.claude", async () => {
    const other = path.join(home.dir, "other");
    const env = { CLAUDE_CONFIG_DIR: other };
    expect((await done(teamsOutput, ["teams"], { env })).root).toBe(other);
    expect((await done(teamsOutput, ["teams", "--root", home.root], { env })).teams).toHaveLength(1);
    expect((await done(teamsOutput, ["teams", "--root=../other"])).root).toBe(other);
    await refused("usage", 2, ["teams", "--root="]);
  });

  test("a reader that goes away early is no error", async () => {
    const script = `"${process.execPath}" "${cli.file}" --help | true`;
    const stderr = await new Promise<string>((resolve) =>
      exec(script, { env: home.env }, (_error, _stdout, text) => resolve(text)),
    );
    expect(stderr).toBe("");
  });
});

describe("files that cannot be used", () => {
  test("a state root that is a file, or below one, is said in one sentence", async () => {
    const file = path.join(home.dir, "file");
    writeFileSync(file, "");
    for (const root of [file, path.join(file, "below")]) {
      for (const args of [["teams"], ["status", "demo"], ["send", "demo", "alice", "x"], ["doctor"]])
        await refused("root_unreadable", 4, [...args, "--root", root]);
    }
  });

  test("a torn inbox loses nothing: the whole entries stay, the rest is set aside, the person is told", async () => {
    for (const text of ["one", "two"]) await store.inboxes.send("demo", { from: "team-lead", to: ["alice"], text });
    const torn = readFileSync(inbox("alice"), "utf8").slice(0, -40);
    writeFileSync(inbox("alice"), torn);
    const shown = await muster(["inbox", "demo", "alice", "--json"]);
    expect(shown.code).toBe(0);
    expect(inboxOutput.parse(shown.json()).entries.map(({ text }) => text)).toContain("one");
    expect(shown.stderr).toMatch(/^muster: [^\n]+\n$/);
    const sent = await muster(["send", "demo", "alice", "three", "--json"]);
    expect(sent.code).toBe(0);
    const { entries } = await done(inboxOutput, ["inbox", "demo", "alice"]);
    expect(entries.map(({ text }) => text)).toEqual(expect.arrayContaining(["one", "three"]));
    expect(readdirSync(path.join(home.root, "teams/demo/muster/corrupt"))).not.toEqual([]);
  });

  test("a team whose configuration is beyond use does not hide the others; doctor says what is broken", async () => {
    const broken = path.join(home.root, "teams/broken");
    mkdirSync(broken, { recursive: true });
    writeFileSync(path.join(broken, "config.json"), "{{{");
    const result = await muster(["teams", "--json"]);
    expect(result.code).toBe(0);
    expect(teamsOutput.parse(result.json()).teams.map(({ name }) => name)).toEqual(["broken", "demo"]);
    expect(result.stderr).toContain("broken");
    await refused("corrupt", 4, ["status", "broken"]);
    const doctor = await muster(["doctor", "--json"]);
    expect(doctor.code).toBe(1);
    expect(doctorOutput.parse(doctor.json())).toMatchObject({ ok: false, faults: [{ team: "broken" }] });
    rmSync(broken, { recursive: true });
  });
});

describe("doctor", () => {
  test("finds an edge that only one task knows, a lock and a temporary file that were left behind", async () => {
    for (const subject of ["First", "Second"]) await done(taskOutput, ["task", "create", "demo", "--subject", subject]);
    const file = path.join(home.root, "tasks/demo/2.json");
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(whole), blockedBy: ["1"], status: "in_progress" }));
    const result = await muster(["doctor", "demo", "--json"]);
    expect(result.code).toBe(1);
    const { faults, checked } = doctorOutput.parse(result.json());
    expect(checked).toBeGreaterThan(2);
    expect(faults.map(({ invariant }) => invariant)).toEqual([
      "edges stand in both tasks",
      "a task in progress has an owner",
      "a blocked task is not started",
    ]);
    expect((await muster(["doctor"])).stdout).toContain("3 faults");
    writeFileSync(file, whole);
  });
});
