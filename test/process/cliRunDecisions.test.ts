import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../../src/demo/script.ts";
import { runEvent } from "../support/cliContract.ts";
import { events, nextEvent, ofType, runFinished, useCliRuns } from "../support/cliRuns.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const runs = useCliRuns();
const { serve, start } = runs;

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
    expect(runFinished(all)).toMatchObject({ result: "failed", exit: 1 });
    expect(runFinished(all).reason).toContain("alice");
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
    expect(runFinished(events(result))).toMatchObject({ exit: 0, text: "I cannot." });
    expect(existsSync(path.join(runs.home.project, "made"))).toBe(false);
  });

  test("--approve all still denies protected files, critical removals and what a rule denies", async () => {
    const command = (text: string) => calls(call("Bash", { command: text }));
    const server = await serve(
      team({
        "team-lead": script(
          command("touch made"),
          command("rm -rf /"),
          calls(call("Write", { file_path: path.join(runs.home.project, ".git/config"), content: "x" })),
          command("touch denied"),
          "Done.",
        ),
      }),
    );
    const result = await start(server, "--approve", "all", "--disallowedTools", "Bash(touch denied)").result();
    const all = events(result);
    expect(ofType(all, "decision").map(({ decision }) => decision)).toEqual(["allow", "deny", "deny"]);
    expect(ofType(all, "tool_start").map(({ name }) => name)).toEqual(["Bash"]);
    expect(readdirSync(runs.home.project)).toEqual(["made"]);
  });

  test("--allowedTools allows without a request", async () => {
    const server = await serve(team({ "team-lead": script(calls(call("Bash", { command: "touch made" })), "Done.") }));
    const result = await start(server, "--allowedTools", "Bash(touch made)").result();
    expect(ofType(events(result), "request")).toEqual([]);
    expect(readdirSync(runs.home.project)).toEqual(["made"]);
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
    expect(readdirSync(runs.home.project)).toEqual(["two"]);
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
    const [decision, ...others] = ofType(events(result), "decision");
    expect([decision, others]).toMatchObject([{ decision: "deny", by: "policy" }, []]);
    expect(decision?.reason).toContain("Standard input has ended, so nobody decides any more");
    expect(decision?.reason).not.toContain("--approve none");
    expect(runFinished(events(result)).text).toBe("Denied.");
  });
});
