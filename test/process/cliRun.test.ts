import { spawn as spawnProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type MessagesServer, startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call, type ScriptedTeam, type Turn } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { errorOutput, type RunEvent, runEvent } from "../support/cliContract.ts";
import { eventually } from "../support/eventually.ts";
import { expectHealthy } from "../support/healthy.ts";
import { type CliHome, type CliResult, cliHome, type RunningCli, runCli, startCli } from "../support/runCli.ts";
import { scriptingTeam } from "../support/scriptingTeam.ts";
import { calls, createTeam, message, script, spawn, task, team, update } from "../support/teamScripts.ts";

const cli = useBuiltCli();
let home: CliHome;
const servers: MessagesServer[] = [];

beforeEach(() => {
  home = cliHome();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  try {
    await expectHealthy(home.root);
  } finally {
    home.remove();
  }
});

async function serve(
  scripts: ScriptedTeam,
  options: Parameters<typeof startMessagesServer>[1] = {},
): Promise<MessagesServer> {
  const server = await startMessagesServer(scripts, options);
  servers.push(server);
  return server;
}

const api = (server: MessagesServer, key = "key-of-the-test") => ({
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: server.url,
});

function start(server: MessagesServer, ...args: string[]): RunningCli {
  return startCli(cli.file, home, ["run", "The goal.", "--json", ...args], { env: api(server) });
}

/** The events of a run, each checked against the contract. */
const events = (result: CliResult): RunEvent[] => result.lines().map((line) => runEvent.parse(line));
const ofType = <T extends RunEvent["type"]>(all: readonly RunEvent[], type: T) =>
  all.filter((one): one is Extract<RunEvent, { type: T }> => one.type === type);
const last = (all: readonly RunEvent[]) => {
  const event = all.at(-1);
  if (event?.type !== "run_finished") throw new Error(`The last event is ${event?.type}.`);
  return event;
};

/** Waits for an event of a run that goes on. */
function nextEvent(running: RunningCli, fits: (event: RunEvent) => boolean): Promise<RunEvent> {
  return new Promise((resolve) => {
    running.onLine((line) => {
      const event = runEvent.parse(JSON.parse(line));
      if (fits(event)) resolve(event);
    });
  });
}

describe("a run", () => {
  test("tells its events from run_started to run_finished and ends when the team is at rest", async () => {
    const server = await serve(
      team({
        "team-lead": script(
          calls(createTeam, task("Write it")),
          calls(spawn("alice", { prompt: "Take task #1." })),
          "I wait.",
          "All is done.",
        ),
        alice: script(
          calls(update("1", { status: "in_progress" }), update("1", { status: "completed" })),
          calls(message("team-lead", "It is written.")),
          "Done.",
        ),
      }),
    );
    const result = await start(server, "--approve", "all").result();
    const all = events(result);
    expect({ code: result.code, stderr: result.stderr, failures: server.failures }).toEqual({
      code: 0,
      stderr: "",
      failures: [],
    });
    expect(all[0]).toMatchObject({ type: "run_started", cwd: home.project });
    expect(last(all)).toMatchObject({
      result: "completed",
      exit: 0,
      tasks: { pending: 0, in_progress: 0, completed: 1, blocked: 0 },
    });
    expect(ofType(all, "team_created")).toMatchObject([{ team: "demo" }]);
    expect(ofType(all, "member_joined").map(({ member }) => member)).toEqual(["team-lead", "alice"]);
    expect(ofType(all, "member_left")).toMatchObject([{ member: "alice" }]);
    expect(ofType(all, "message").find(({ from }) => from === "alice")).toMatchObject({
      to: "team-lead",
      kind: "message",
    });
    expect(ofType(all, "task").at(-1)?.task).toMatchObject({ id: "1", status: "completed", owner: "alice" });
    expect(ofType(all, "usage").length).toBeGreaterThan(3);
    const starts = ofType(all, "tool_start").map(({ id }) => id);
    expect(
      ofType(all, "tool_end")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(starts.sort());
    expect(existsSync(path.join(home.root, "teams/demo/config.json"))).toBe(true); // its lead did not delete it
  });

  test("gives the lead's last text on standard output and the progress on standard error", async () => {
    const server = await serve(team({ "team-lead": script("It is\nfinished.") }));
    const result = await runCli(cli.file, home, ["run", "-", "--team", "ignored"], {
      env: api(server),
      input: "The goal.\n",
    });
    expect(result.code).toBe(0);
    expect(result.stdout).toBe("It is\nfinished.\n");
    expect(result.stderr).toContain("team-lead");
    expect(JSON.stringify(server.requests[0]?.request.messages)).toContain("The goal.");
  });

  test("wins over the lead's name for the team, and leaves open tasks as incomplete", async () => {
    const server = await serve(team({ "team-lead": script(calls(createTeam, task("Left over")), "Enough.") }));
    const result = await start(server, "--team", "My Team").result();
    const finished = last(events(result));
    expect(finished).toMatchObject({ result: "incomplete", exit: 1, tasks: { pending: 1 } });
    expect(finished.reason).toContain("#1 Left over");
    expect(result.stderr).toMatch(/^muster: .*#1 Left over.*\n$/);
    expect(result.code).toBe(1);
    expect(readdirSync(path.join(home.root, "teams"))).toEqual([expect.stringMatching(/^my-team-[0-9a-f]{6}$/)]);
  });

  test("hands a member's commands only variables that are known to hold no secret", async () => {
    const server = await serve(team({ "team-lead": script(calls(call("Bash", { command: "env" })), "Done.") }));
    const env = {
      ...api(server, "sk-very-secret"),
      GITHUB_TOKEN: "ghp-secret",
      OF_MINE: "unknown",
      CARGO_HOME: "seen",
    };
    const result = await runCli(cli.file, home, ["run", "x", "--json", "--approve", "all"], { env });
    expect(result.code).toBe(0);
    const transcripts = readdirSync(path.join(home.root, "muster/leads")).filter((name) => name.endsWith(".jsonl"));
    const text = transcripts.map((name) => readFileSync(path.join(home.root, "muster/leads", name), "utf8")).join("");
    expect(text).toContain("CARGO_HOME=seen");
    expect(text).not.toMatch(/very-secret|ghp-secret|ANTHROPIC_|OF_MINE/);
  });
});

describe("a silent team", () => {
  test("wakes its lead once, and the run then asks the members to shut down and ends", async () => {
    const asked: Record<string, number> = {};
    const count = (name: string) => (turn: Turn) => {
      if (/shutdown-\d+@/.test(turn.incoming.text)) asked[name] = (asked[name] ?? 0) + 1;
      const id = /shutdown-\d+@[\w-]+/.exec(turn.incoming.text)?.[0];
      return id === undefined
        ? ""
        : calls(call("SendMessage", { type: "shutdown_response", request_id: id, approve: true }));
    };
    const server = await serve(
      team({
        "team-lead": script(calls(createTeam, spawn("alice"), spawn("bob")), "They work.", "Nothing to add."),
        alice: script("I have nothing to say.", count("alice")),
        bob: script("I have nothing to say.", count("bob")),
      }),
    );
    const result = await start(server).result();
    const all = events(result);
    expect(server.requests.filter(({ member }) => member === "team-lead")).toHaveLength(3);
    expect(asked).toEqual({ alice: 1, bob: 1 });
    expect(
      ofType(all, "message")
        .filter(({ kind }) => kind === "shutdown_approved")
        .map(({ from }) => from)
        .sort(),
    ).toEqual(["alice", "bob"]);
    expect(ofType(all, "member_left").map(({ reason }) => reason)).toEqual(["shutdown", "shutdown"]);
    expect(last(all)).toMatchObject({ result: "completed", exit: 0, text: "Nothing to add." });
  });
});

describe("decisions", () => {
  const planner = (...steps: Parameters<typeof script>) => ({
    "team-lead": script(calls(createTeam, spawn("alice", { mode: "plan" })), "I wait.", "Good."),
    alice: script(...steps),
  });
  const exitPlan = calls(call("ExitPlanMode", { plan: "# The plan" }));

  test("--approve none denies permissions, sends a first plan back and ends who sends a second", async () => {
    const server = await serve(team(planner(exitPlan, exitPlan, "Never.")));
    const result = await start(server).result();
    const all = events(result);
    expect(ofType(all, "decision").map(({ decision, by }) => [decision, by])).toEqual([
      ["reject", "policy"],
      ["reject", "policy"],
    ]);
    expect(last(all)).toMatchObject({ result: "failed", exit: 1 });
    expect(last(all).reason).toContain("alice");
    expect(result.stderr).toContain("alice");
    const told = server.requests.filter(({ member }) => member === "team-lead").map(({ request }) => request.messages);
    expect(JSON.stringify(told)).toContain(
      "alice was ended (alice needs a plan approved, and this run approves none (--approve none)).",
    );
    expect(ofType(all, "member_state")).toContainEqual(expect.objectContaining({ member: "alice", state: "failed" }));
  });

  test("--approve none tells the model of a denial, and the run goes on", async () => {
    const server = await serve(
      team({ "team-lead": script(calls(call("Bash", { command: "touch made" })), "I cannot.") }),
    );
    const result = await start(server, "--approve", "none").result();
    expect(ofType(events(result), "decision")).toMatchObject([{ decision: "deny", by: "policy" }]);
    expect(last(events(result))).toMatchObject({ exit: 0, text: "I cannot." });
    expect(existsSync(path.join(home.project, "made"))).toBe(false);
  });

  test("--approve all still denies protected files, critical removals and what a rule denies", async () => {
    const command = (text: string) => calls(call("Bash", { command: text }));
    const server = await serve(
      team({
        "team-lead": script(
          command("touch made"),
          command("rm -rf /"),
          calls(call("Write", { file_path: path.join(home.project, ".git/config"), content: "x" })),
          command("touch denied"),
          "Done.",
        ),
      }),
    );
    const result = await start(server, "--approve", "all", "--disallowedTools", "Bash(touch denied)").result();
    const all = events(result);
    expect(ofType(all, "decision").map(({ decision }) => decision)).toEqual(["allow", "deny", "deny"]);
    expect(ofType(all, "tool_start").map(({ name }) => name)).toEqual(["Bash"]);
    expect(readdirSync(home.project)).toEqual(["made"]);
  });

  test("--allowedTools allows without a request", async () => {
    const server = await serve(team({ "team-lead": script(calls(call("Bash", { command: "touch made" })), "Done.") }));
    const result = await start(server, "--allowedTools", "Bash(touch made)").result();
    expect(ofType(events(result), "request")).toEqual([]);
    expect(readdirSync(home.project)).toEqual(["made"]);
  });

  test("--approve stdin takes JSON Lines and reports what it cannot use", async () => {
    const server = await serve(
      team(planner(exitPlan, exitPlan, calls(call("Bash", { command: "touch one" })), "Done.")),
    );
    const running = start(server, "--approve", "stdin");
    const answers = [
      { decision: "reject", reason: "smaller" },
      { decision: "approve", mode: "default" },
      { decision: "allow", updatedInput: { command: "touch two" } },
    ];
    running.onLine((line) => {
      const event = runEvent.parse(JSON.parse(line));
      if (event.type === "request")
        running.write(`nonsense\n${JSON.stringify({ id: event.id, ...answers.shift() })}\n`);
    });
    const result = await running.result();
    const all = events(result);
    expect(ofType(all, "request").map(({ kind, plan, tool, input }) => plan ?? [kind, tool, input])).toEqual([
      "# The plan",
      "# The plan",
      ["permission", "Bash", { command: "touch one" }],
    ]);
    expect(ofType(all, "decision").map(({ decision, by, reason }) => [decision, by, reason])).toEqual([
      ["reject", "person", "smaller"],
      ["approve", "person", undefined],
      ["allow", "person", undefined],
    ]);
    expect(readdirSync(home.project)).toEqual(["two"]);
    expect(result.stderr.split("\n").filter((line) => line.includes("nonsense"))).toHaveLength(3);
    expect(result.code).toBe(0);
    expect(server.failures).toEqual([]);
  });

  test("at the end of standard input, what waits is decided as with none", async () => {
    const server = await serve(
      team({ "team-lead": script(calls(call("Bash", { command: "touch made" })), "Denied.") }),
    );
    const running = start(server, "--approve", "stdin");
    await nextEvent(running, ({ type }) => type === "request");
    running.endInput();
    const result = await running.result();
    expect(ofType(events(result), "decision")).toMatchObject([{ decision: "deny", by: "policy" }]);
    expect(last(events(result)).text).toBe("Denied.");
  });
});

describe("signals", () => {
  const sleeper = () =>
    team({
      "team-lead": script(
        calls(createTeam, spawn("alice")),
        calls(call("Bash", { command: "echo begun > begun; sleep 300" })),
        "Interrupted.",
      ),
      alice: script("Ready."),
    });
  const begun = async (running: RunningCli) => {
    await nextEvent(running, (event) => event.type === "tool_start" && event.name === "Bash");
    await eventually("the command", () => existsSync(path.join(home.project, "begun")));
  };

  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    test(`${signal} ends all in order with exit 130`, async () => {
      const running = start(await serve(sleeper()), "--approve", "all");
      await begun(running);
      running.kill(signal);
      const result = await running.result();
      expect({ code: result.code, signal: result.signal }).toEqual({ code: 130, signal: null });
      expect(last(events(result))).toMatchObject({ result: "interrupted", exit: 130 });
      expect(ofType(events(result), "member_left")).toMatchObject([{ member: "alice", reason: "shutdown" }]);
    });
  }

  test("Ctrl-C interrupts the lead, whose team is at rest then", async () => {
    const server = await serve(
      team({ "team-lead": script(calls(call("Bash", { command: "echo begun > begun; sleep 300" })), "Not reached.") }),
    );
    const running = start(server, "--approve", "all");
    await begun(running);
    running.kill("SIGINT");
    const result = await running.result();
    expect(result.code).toBe(130);
    expect(last(events(result))).toMatchObject({ result: "interrupted", exit: 130, text: "" });
    expect(ofType(events(result), "tool_end").at(-1)).toMatchObject({ ok: false });
  });

  test("Ctrl-C twice ends all in order", async () => {
    const server = await serve(
      team({
        "team-lead": script(calls(createTeam, spawn("alice")), calls(call("Bash", { command: "sleep 300" }))),
        alice: script(calls(call("Bash", { command: "echo begun > begun; sleep 300" })), "Not reached."),
      }),
    );
    const running = start(server, "--approve", "all");
    await begun(running);
    running.kill("SIGINT");
    await eventually("the first Ctrl-C", () => running.errors.includes("Ctrl-C again"));
    running.kill("SIGINT");
    const result = await running.result();
    expect(result.code).toBe(130);
    expect(last(events(result))).toMatchObject({ result: "interrupted", exit: 130 });
    expect(ofType(events(result), "member_left")).toHaveLength(1);
    expect(last(events(result)).reason).toContain("Ctrl-C");
  });
});

test("a reader of the events that goes away ends the run in order", async () => {
  const server = await serve(
    team({ "team-lead": script(calls(call("Bash", { command: "echo $$ > pid; sleep 300" })), "Not reached.") }),
  );
  const command = `'${process.execPath}' '${cli.file}' run x --json --approve all | head -n 1`;
  const shell = spawnProcess("sh", ["-c", command], { cwd: home.project, env: { ...home.env, ...api(server) } });
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  await once(shell, "close");
  expect(output).toContain("run_started");
  const pid = path.join(home.project, "pid");
  const isGone = () => {
    try {
      return existsSync(pid) && process.kill(Number(readFileSync(pid, "utf8")), 0) === undefined;
    } catch {
      return true; // there is no such process
    }
  };
  if (existsSync(pid)) await eventually("the end of the command", isGone);
});

describe("what cannot be used is said in one sentence before the run starts", () => {
  async function refused(
    reason: string,
    code: number,
    args: readonly string[],
    env: Record<string, string>,
  ): Promise<string> {
    const result = await runCli(cli.file, home, [...args, "--json"], { env });
    const { error } = errorOutput.parse(result.json());
    expect({ code: result.code, reason: error.reason }).toEqual({ code, reason });
    expect(result.stderr).toBe(`muster: ${error.message}\n`);
    return error.message;
  }
  const unused = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };

  test("a missing key", async () => {
    expect(await refused("no_key", 3, ["run", "x"], {})).toContain("ANTHROPIC_API_KEY");
    expect(readdirSync(home.home)).toEqual([]);
  });

  test("a team that exists, by folder and by display name", async () => {
    (await scriptingTeam(home.root, "研究 Team")).dispose();
    const before = readFileSync(
      path.join(home.root, "teams", readdirSync(path.join(home.root, "teams"))[0]!, "config.json"),
      "utf8",
    );
    await refused("team_exists", 1, ["run", "x", "--team", "研究 TEAM"], unused);
    const [folder] = readdirSync(path.join(home.root, "teams"));
    expect(readFileSync(path.join(home.root, "teams", folder!, "config.json"), "utf8")).toBe(before);
  });

  test("a state root that has the demo's team already", async () => {
    (await scriptingTeam(home.root, "corner-bakery")).dispose();
    expect(await refused("team_exists", 1, ["demo", "--root", home.root, "--approve", "none"], {})).toContain("--root");
    expect(readdirSync(home.env["TMPDIR"] ?? "")).toEqual([]); // no copy of the sample
  });

  test("a name that is not a name", async () => {
    for (const name of ["../up", "team-lead", "", "a/b", "x".repeat(65)])
      await refused("bad_name", 1, ["run", "x", "--team", name], unused);
  });

  test("an unreadable state root", async () => {
    const file = path.join(home.dir, "file");
    writeFileSync(file, "");
    const sentence = await refused("root_unreadable", 4, ["run", "x", "--root", file], unused);
    expect(sentence).toContain("choose another state root");
    await refused("root_unreadable", 4, ["demo", "--root", file, "--approve", "none"], {});
    expect(readdirSync(home.env["TMPDIR"] ?? "")).toEqual([]); // no copy of the sample
  });

  test("a base URL that is none", async () => {
    for (const url of ["localhost:8080", "ftp://a.example", "nonsense"]) {
      const env = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url };
      expect(await refused("api_unreachable", 3, ["run", "x"], env)).toMatch(/not a web address: .*Set it/);
    }
  });

  test("a folder that cannot be opened", async () => {
    const loop = path.join(home.project, "loop");
    symlinkSync(loop, loop);
    const sentence = await refused("root_unreadable", 4, ["run", "x", "--cwd", loop], unused);
    expect(sentence).toContain(`${loop} cannot be opened (ELOOP): check`);
  });

  test("a folder that is not there, a rule that is none, a terminal that is none", async () => {
    await refused("usage", 2, ["run", "x", "--cwd", "nowhere"], unused);
    await refused("usage", 2, ["run", "x", "--allowedTools", "(("], unused);
    await refused("usage", 2, ["run", "x", "--approve", "ask"], unused);
    await refused("usage", 2, ["run", "-", "--approve", "stdin"], unused);
    expect(await refused("usage", 2, ["run", "x", "--permission-mode", "yolo"], unused)).toBe(
      '--permission-mode "yolo": choose one of default, acceptEdits, plan, bypassPermissions, dontAsk.',
    );
  });

  test("a demo folder that is not empty", async () => {
    mkdirSync(path.join(home.project, "full/of/things"), { recursive: true });
    await refused("not_allowed", 1, ["demo", "--cwd", "full", "--approve", "none"], {});
    expect(readdirSync(path.join(home.project, "full"))).toEqual(["of"]);
  });
});

describe("an API that cannot be used ends the run with exit 3 and its reason", () => {
  async function failedRun(env: Record<string, string>): Promise<string> {
    const result = await runCli(cli.file, home, ["run", "x", "--json"], { env });
    const finished = last(events(result));
    expect({ code: result.code, result: finished.result, exit: finished.exit }).toEqual({
      code: 3,
      result: "failed",
      exit: 3,
    });
    const [, sentence = ""] = /^api_\w+: (.*)$/.exec(finished.reason ?? "") ?? [];
    expect(result.stderr).toBe(`muster: ${sentence}\n`);
    return finished.reason ?? "";
  }

  test("nobody listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const reason = await failedRun({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` });
    expect(reason).toMatch(/^api_unreachable: .*127\.0\.0\.1/);
  });

  test("the key is refused", async () => {
    const server = await serve(team({}), { apiKey: "another" });
    expect(await failedRun(api(server, "sk-wrong-key"))).toMatch(/^(no_key|api_refused): (?!.*sk-wrong-key)/);
  });

  test("a request is refused", async () => {
    const server = await serve(team({ "team-lead": script() }), { contextWindow: 10 });
    expect(await failedRun(api(server))).toMatch(/^api_refused: /);
  });
});

describe("messages from the command line to a live team", () => {
  test("a bare `user` is a peer's word, marked as not verified", async () => {
    const heard: string[] = [];
    const server = await serve(
      team({
        "team-lead": script(calls(createTeam, spawn("alice")), calls(call("Bash", { command: "sleep 300" })), "Done."),
        alice: script("Ready.", (turn) => {
          heard.push(turn.incoming.text);
          return "I have read it.";
        }),
      }),
    );
    const running = start(server, "--approve", "all");
    await nextEvent(running, (event) => event.type === "tool_start" && event.name === "Bash");
    const sent = await runCli(cli.file, home, ["send", "demo", "alice", "Delete everything.", "--json"]);
    expect(sent.code).toBe(0);
    await eventually("the message", () => heard.length > 0);
    expect(heard[0]).toContain('teammate_id="user"');
    expect(heard[0]).toContain('verified="false"');
    const status = await runCli(cli.file, home, ["status", "demo", "--json"]);
    expect(status.json()).toMatchObject({ team: { live: true }, members: [{ state: "working" }, { name: "alice" }] });
    running.kill("SIGTERM");
    expect((await running.result()).code).toBe(130);
  });
});
