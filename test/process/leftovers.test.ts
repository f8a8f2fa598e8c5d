import { type ChildProcess, spawn as spawnProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startMessagesServer } from "../../src/demo/messagesServer.ts";
import { call } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { eventually } from "../support/eventually.ts";
import { goneInTime } from "../support/goneInTime.ts";
import { expectHealthy, sendWhatWaits } from "../support/healthy.ts";
import { reachOf } from "../support/longRows.ts";
import { type CliHome, cliHome, startCli } from "../support/runCli.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../support/teamScripts.ts";
import { openTmuxServer, type TmuxServer } from "../support/tmuxServer.ts";
import { filesLeft, isRunning, kill, processesOf, type Trace } from "../support/traces.ts";

const reach = reachOf("ends");
const cli = useBuiltCli();
const BACKENDS = ["in-process", "tmux"] as const;
type Where = (typeof BACKENDS)[number];

let home: CliHome;
let tmux: TmuxServer;
let bystander: ChildProcess;
let bystanderPane: number | undefined;
let temporary: string | undefined;

beforeEach(async () => {
  home = cliHome();
  tmux = await openTmuxServer();
  tmux.tmux("new-session", "-d", "-s", "mine", "--", "sleep", "1000");
  bystanderPane = tmux.panes()[0]?.pid;
  bystander = spawnProcess("sleep", ["9000"], { detached: true, stdio: "ignore" });
  temporary = process.env["TMPDIR"];
});
afterEach(async () => {
  useTemporary(temporary);
  bystander.kill("SIGKILL");
  await tmux.close();
  home.remove();
});

function useTemporary(folder: string | undefined): void {
  if (folder === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = folder;
}

/** Leaves a program that left its group, and an output that is kept in a file. */
const leaving = call("Bash", { command: "setsid sleep 986 > /dev/null 2>&1 & sleep 0.2; yes | head -c 40000" });
const long = call("Bash", { command: "sleep 987" });
const lead = () => script(calls(createTeam), calls(task("First"), spawn("alice")), "Waiting.", "Fine.", "Fine.");
const working = () => team({ "team-lead": lead(), alice: script(calls(leaving), calls(long), "Never.") });
const resting = () => team({ "team-lead": lead(), alice: script(calls(leaving), "Ready.") });

/** A team of this process, in its backend. */
async function open(where: Where, scripts: ReturnType<typeof working>): Promise<TeamHost> {
  useTemporary(temporary);
  const processes = where === "tmux" ? { processes: { starter: tmux.starter(), cli: cli.file } } : {};
  const host = await openTeamHost(scripts, { permissionMode: "bypassPermissions", autoClaim: false }, processes);
  useTemporary(path.join(home.dir, "tmp")); // for the members that this process runs
  host.session.start("Go.");
  return host;
}

/** The team's processes once the command runs (`sleep 986`, `sleep 987`) that its members are to be in. */
function commandRuns(folder: string, command: string): Promise<Trace[]> {
  return eventually(command, () => {
    const traces = processesOf(folder);
    const isGuarded = traces.some((trace) => trace.command.includes("muster-guard"));
    return isGuarded && traces.some((trace) => trace.command === command) && traces;
  });
}

/**
 * Sees that nothing of the team is left 5 s after the way out, which was at `out`, and that all else is there. `before`:
 * its processes as it worked; folder: the one that they all name.
 */
async function nothingIsLeft(before: readonly Trace[], folder: string, root: string, out: number): Promise<void> {
  expect(before.length).toBeGreaterThan(0);
  const took = await goneInTime(out, () => [
    ...[...before.filter(isRunning), ...processesOf(folder)].map(({ pid, command }) => `${pid} ${command}`),
    ...tmux.panes().flatMap(({ pid, id }) => (pid === bystanderPane ? [] : [id])),
    ...filesLeft(root, [path.join(home.dir, "tmp"), folder]),
  ]);
  longest = Math.max(longest, took);
  await sendWhatWaits(root);
  expect(tmux.panes()).toMatchObject([{ pid: bystanderPane, session: "mine" }]);
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
  await expectHealthy(root);
}

let longest = 0;

/** Runs `end` so often as this run is to, each time on a team of its own. */
async function often(end: () => Promise<void>): Promise<void> {
  longest = 0;
  const until = reach.until();
  for (let round = 0; round < reach.pick(2, 20) && Date.now() < until; round += 1) {
    await end();
    reach.reached(1);
  }
  console.log(`the longest until nothing was left: ${Math.round(longest)} ms`);
}

describe.skipIf(process.platform !== "linux").each(BACKENDS)("after %s teammates", (where) => {
  const ways: { way: string; scripts: typeof working; end(host: TeamHost): Promise<void> }[] = [
    {
      way: "an agreed shutdown",
      scripts: resting,
      async end(host) {
        await host.rest();
        await host.session.askToStop("alice", "Done.");
        await host.until("alice to leave", () => host.events.some(({ type }) => type === "member_left"));
        await host.session.end({ graceMs: 0, interrupted: false });
      },
    },
    {
      way: "a forced end",
      scripts: working,
      async end(host) {
        await host.session.endMember("alice", "no time");
        await host.session.end({ graceMs: 0, interrupted: false });
      },
    },
    { way: "the end of the session", scripts: working, end: endNow },
  ];

  it.for(ways)("nothing is left after $way (row 54)", { timeout: reach.timeout(240_000) }, ({ scripts, end }) =>
    often(async () => {
      const host = await open(where, scripts());
      await using _ = host;
      const folder = path.dirname(host.cwd);
      const before = await commandRuns(folder, scripts === working ? "sleep 987" : "sleep 986");
      await end(host);
      await nothingIsLeft(before, folder, host.root, performance.now());
    }),
  );

  it(
    "nothing is left after a kill -9 of muster run, and of muster demo",
    () =>
      often(async () => {
        await killRun(where);
        if (!reach.isLong) await killDemo(where);
      }),
    reach.timeout(240_000),
  );
});

describe.skipIf(process.platform !== "linux")("after a kill -9 of a tmux teammate in the middle of a call", () => {
  it(
    "nothing of it is left, its task is released, its transcript is valid, and its lead is told",
    () =>
      often(async () => {
        const host = await open("tmux", working());
        await using _ = host;
        const folder = path.dirname(host.cwd);
        const before = await commandRuns(folder, "sleep 987");
        await host.store.tasks.update(
          "demo",
          "1",
          { owner: "alice", status: "in_progress" },
          { by: "user", isAgent: false },
        );
        const member = before.find(({ command }) => command.includes("--agent-id alice@demo"));
        const out = performance.now();
        kill(member?.pid);
        const command = before.filter(({ command }) => /^sleep 98[67]$/.test(command));
        expect(command).toHaveLength(2);
        await goneInTime(out, () => command.filter(isRunning));
        await host.until("the lead to hear", () => host.lastSent("team-lead").includes("alice has failed"));
        expect((await host.store.snapshots.read("demo")).graph.tasks.get("1")).toMatchObject({ status: "pending" });
        const file = path.join(host.root, "teams/demo/muster/transcripts/alice.jsonl");
        const records = readFileSync(file, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line));
        expect(records.at(-1)).toMatchObject({ kind: "tool_start", name: "Bash" });
        await endNow(host);
        await nothingIsLeft(before, folder, host.root, performance.now());
      }),
    reach.timeout(240_000),
  );
});

async function endNow(host: TeamHost): Promise<void> {
  await host.session.end({ graceMs: 200, interrupted: true });
}

/** Starts `muster` as the lead of a team whose teammates run there: in tmux beside the bystander's pane. */
function startLead(where: Where, args: readonly string[], env: Record<string, string> = {}) {
  const pane = tmux.leadIn(tmux.panes()[0]?.id ?? "");
  const inTmux = where === "tmux" ? { TMUX: pane.tmux, TMUX_PANE: pane.pane } : {};
  const PATH = `${path.dirname(process.execPath)}:${home.env["PATH"]}`;
  return startCli(cli.file, home, [...args, "--json", "--teammate-mode", where], { env: { ...env, ...inTmux, PATH } });
}

async function killRun(where: Where): Promise<void> {
  const server = await startMessagesServer(working());
  const api = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: server.url };
  const args = ["run", "Go.", "--permission-mode", "bypassPermissions"];
  const running = startLead(where, args, api);
  const before = await commandRuns(home.dir, "sleep 987");
  const out = performance.now();
  running.kill("SIGKILL");
  await running.result();
  await server.close();
  await nothingIsLeft(before, home.dir, home.root, out);
  await rm(home.root, { recursive: true });
}

/** While its plan and its test suite wait for the person, so that nothing is being written. */
async function killDemo(where: Where): Promise<void> {
  const place = ["--root", home.root, "--cwd", path.join(home.dir, "bakery")];
  const running = startLead(where, ["demo", "--approve", "stdin", ...place]);
  let requests = 0;
  running.onLine((line) => {
    if (JSON.parse(line).type === "request") requests += 1;
  });
  await eventually("both requests", () => requests === 2);
  const before = processesOf(home.dir);
  const out = performance.now();
  running.kill("SIGKILL");
  await running.result();
  await nothingIsLeft(before, home.dir, home.root, out);
  await rm(home.root, { recursive: true });
  await rm(path.join(home.dir, "bakery"), { recursive: true });
}
