import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call, type Turn } from "../../src/demo/script.ts";
import { api, events, nextEvent, ofType, runFinished, useCliRuns } from "../support/cliRuns.ts";
import { eventually } from "../support/eventually.ts";
import { runCli } from "../support/runCli.ts";
import { calls, createTeam, message, script, spawn, task, team, update } from "../support/teamScripts.ts";

const runs = useCliRuns();
const { serve, start } = runs;

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
    expect(all[0]).toMatchObject({ type: "run_started", cwd: runs.home.project });
    expect(runFinished(all)).toMatchObject({
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
    expect(existsSync(path.join(runs.home.root, "teams/demo/config.json"))).toBe(true); // its lead did not delete it
  });

  test("gives the lead's last text on standard output and the progress on standard error", async () => {
    const server = await serve(team({ "team-lead": script("It is\nfinished.") }));
    const result = await runCli(runs.file, runs.home, ["run", "-", "--team", "ignored"], {
      env: api(server),
      input: "The goal.\n",
    });
    expect(result.code).toBe(0);
    expect(result.stdout).toBe("It is\nfinished.\n");
    expect(result.stderr).toContain("team-lead");
    expect(JSON.stringify(server.requests[0]?.request.messages)).toContain("The goal.");
  });

  test("says what of the workspace's own rules does not count, and goes by the others", async () => {
    const folder = path.join(runs.home.project, ".muster");
    mkdirSync(folder, { recursive: true });
    const permissions = { allow: ["Bash(touch:*)"], deny: ["Bash(rm:*)"], defaultMode: "bypassPermissions" };
    writeFileSync(path.join(folder, "settings.json"), JSON.stringify({ permissions }));
    const server = await serve(
      team({ "team-lead": script(calls(call("Bash", { command: "touch free.txt" })), "I was not let.") }),
    );
    const result = await start(server, "--approve", "none").result();
    expect(result.stderr).toBe(
      `muster: ${path.join(folder, "settings.json")} allows Bash(touch:*), sets the mode to Allow everything: that does not count before you accept the file in VS Code (Agent Teams: Review the Workspace's Rules…).\n`,
    );
    expect(ofType(events(result), "decision")).toMatchObject([{ decision: "deny" }]);
    expect(existsSync(path.join(runs.home.project, "free.txt"))).toBe(false);
  });

  test("says which rules of its options match nothing, and goes by the others", async () => {
    const touches = script(calls(call("Bash", { command: "touch free.txt" })), "I was not let.");
    const server = await serve(team({ "team-lead": touches }));
    const rules = ["--allowedTools", "bash(touch *),Glob", "--disallowedTools", "Bash(touch *),mcp__files"];
    const result = await start(server, "--approve", "all", ...rules).result();
    expect(result.stderr).toBe(
      "muster: No tool here has this name, so the rule matches nothing: bash(touch *), mcp__files.\n",
    );
    expect(existsSync(path.join(runs.home.project, "free.txt"))).toBe(false);
  });

  test("wins over the lead's name for the team, and leaves open tasks as incomplete", async () => {
    const server = await serve(team({ "team-lead": script(calls(createTeam, task("Left over")), "Enough.") }));
    const result = await start(server, "--team", "My Team").result();
    const finished = runFinished(events(result));
    expect(finished).toMatchObject({ result: "incomplete", exit: 1, tasks: { pending: 1 } });
    expect(finished.reason).toContain("#1 Left over");
    expect(result.stderr).toMatch(/^muster: .*#1 Left over.*\n$/);
    expect(result.code).toBe(1);
    expect(readdirSync(path.join(runs.home.root, "teams"))).toEqual([expect.stringMatching(/^my-team-[0-9a-f]{6}$/)]);
  });

  test("hands a member's commands only variables that are known to hold no secret", async () => {
    const server = await serve(team({ "team-lead": script(calls(call("Bash", { command: "env" })), "Done.") }));
    const env = {
      ...api(server, "sk-very-secret"),
      GITHUB_TOKEN: "ghp-secret",
      OF_MINE: "unknown",
      CARGO_HOME: "seen",
    };
    const result = await runCli(runs.file, runs.home, ["run", "x", "--json", "--approve", "all"], { env });
    expect(result.code).toBe(0);
    const transcripts = readdirSync(path.join(runs.home.root, "muster/leads")).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const text = transcripts
      .map((name) => readFileSync(path.join(runs.home.root, "muster/leads", name), "utf8"))
      .join("");
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
    expect(runFinished(all)).toMatchObject({ result: "completed", exit: 0, text: "Nothing to add." });
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
    const sent = await runCli(runs.file, runs.home, ["send", "demo", "alice", "Delete everything.", "--json"]);
    expect(sent.code).toBe(0);
    await eventually("the message", () => heard.length > 0);
    expect(heard[0]).toContain('teammate_id="user"');
    expect(heard[0]).toContain('verified="false"');
    const status = await runCli(runs.file, runs.home, ["status", "demo", "--json"]);
    expect(status.json()).toMatchObject({ team: { live: true }, members: [{ state: "working" }, { name: "alice" }] });
    running.kill("SIGTERM");
    expect((await running.result()).code).toBe(130);
  });
});
