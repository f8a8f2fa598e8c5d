import { spawn as spawnProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { call } from "../../src/demo/script.ts";
import { api, events, nextEvent, ofType, runFinished, useCliRuns } from "../support/cliRuns.ts";
import { eventually } from "../support/eventually.ts";
import { type RunningCli, runCli } from "../support/runCli.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";
import { isAlive } from "../support/traces.ts";

const runs = useCliRuns();
const { serve, start } = runs;

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
    await eventually("the command", () => existsSync(path.join(runs.home.project, "begun")));
  };

  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    test(`${signal} ends all in order with exit 130`, async () => {
      const running = start(await serve(sleeper()), "--approve", "all");
      await begun(running);
      running.kill(signal);
      const result = await running.result();
      expect({ code: result.code, signal: result.signal }).toEqual({ code: 130, signal: null });
      expect(runFinished(events(result))).toMatchObject({ result: "interrupted", exit: 130 });
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
    expect(runFinished(events(result))).toMatchObject({ result: "interrupted", exit: 130, text: "" });
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
    expect(runFinished(events(result))).toMatchObject({ result: "interrupted", exit: 130 });
    expect(ofType(events(result), "member_left")).toHaveLength(1);
    expect(runFinished(events(result)).reason).toContain("Ctrl-C");
  });
});

test("a reader of the events that goes away ends the run in order", async () => {
  const server = await serve(
    team({ "team-lead": script(calls(call("Bash", { command: "echo $$ > pid; sleep 300" })), "Not reached.") }),
  );
  const command = `'${process.execPath}' '${runs.file}' run x --json --approve all | head -n 1`;
  const shell = spawnProcess("sh", ["-c", command], {
    cwd: runs.home.project,
    env: { ...runs.home.env, ...api(server) },
  });
  let output = "";
  shell.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  await once(shell, "close");
  expect(output).toContain("run_started");
  const pid = path.join(runs.home.project, "pid");
  if (existsSync(pid)) await eventually("the end of the command", () => !isAlive(Number(readFileSync(pid, "utf8"))));
});

describe("an API that cannot be used ends the run with exit 3 and its reason", () => {
  async function failedRun(env: Record<string, string>): Promise<string> {
    const result = await runCli(runs.file, runs.home, ["run", "x", "--json"], { env });
    const finished = runFinished(events(result));
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
