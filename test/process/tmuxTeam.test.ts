import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MAY_HAVE_RUN } from "../../src/agent/messages.ts";
import { call } from "../../src/demo/script.ts";
import type { TmuxStarter } from "../../src/team/backends/tmux.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team, update } from "../support/teamScripts.ts";
import { openTmuxServer, type PaneRow, type TmuxServer } from "../support/tmuxServer.ts";
import { isAlive } from "../support/traces.ts";

const cli = useBuiltCli();
let tmux: TmuxServer;

beforeEach(async () => {
  tmux = await openTmuxServer();
  tmux.tmux("new-session", "-d", "-s", "mine", "--", "sleep", "1000"); // whose server goes on counting its panes
});
afterEach(() => tmux.close());

/** What a shell, tmux, or one of its formats would run or expand. */
const ACTS = `it's "so" $(touch canary) \`touch canary\` \${HOME} #{pane_id} #(touch canary) ; || touch canary \\n 😀 研究`;

describe("a team whose members are panes of tmux", () => {
  it("gives a member its name, its folder and a prompt of 100 KB byte for byte", async () => {
    const prompt = `${ACTS}\n\n\ttab\x1b[31m\r\n${`${ACTS}\n`.repeat(1_200)}end `;
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(100_000);
    const where = call("Bash", { command: 'printf %s "$PWD" > cwd.txt' });
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("研究 Ann-2", { prompt })), "Waiting.", "Fine."),
        "Ann-2-323469": script(calls(where), "Here."),
      }),
      { permissionMode: "bypassPermissions" },
      { folderName: `${ACTS.replaceAll("/", "")}\n`, processes: { starter: tmux.starter(), cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    expect(host.session.members()).toMatchObject([{}, { displayName: "研究 Ann-2", backend: "tmux", state: "idle" }]);
    const request = host.server.requests.find(({ member }) => member !== "team-lead")?.request;
    const sent = JSON.stringify(request?.messages[0]);
    expect(sent.includes(JSON.stringify(prompt).slice(1, -1))).toBe(true);
    expect(await readFile(path.join(host.cwd, "cwd.txt"), "utf8")).toBe(host.cwd);
    expect(readdirSync(host.cwd)).toEqual(["cwd.txt"]);
    expect(existsSync(path.join(path.dirname(host.cwd), "canary"))).toBe(false);
    expect(teamPanes().map(({ title }) => title)).toEqual(["研究 Ann-2"]);
  });

  it("starts six of one name at once, each once, under a name and in a pane of its own (row 44)", async () => {
    const names = ["alice", ...[2, 3, 4, 5, 6].map((n) => `alice-${n}`)];
    const spawns = names.map((_, n) => spawn("alice", { prompt: `You are number ${n}.` }));
    const host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(...spawns), "Waiting.", "Fine.") }),
      {},
      { processes: { starter: tmux.starter(), cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    const idle = () => host.session.members().filter(({ name, state }) => name !== "team-lead" && state === "idle");
    await host.until("all to be idle", () => idle().length === 6);
    await host.rest();
    const members = (await host.store.teams.read("demo")).members.slice(1);
    expect(members.map(({ name }) => name)).toEqual(names);
    expect(new Set(members.map(({ tmuxPaneId }) => tmuxPaneId))).toEqual(new Set(teamPanes().map(({ id }) => id)));
    expect(teamPanes()).toHaveLength(6);
    const prompts = names.map((name) => /You are number (\d)/.exec(host.lastSent(name))?.[1]);
    expect([...prompts].sort()).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(names.map((name) => host.count(name))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("tells of one that does not come the reason, which goes with its pane", async () => {
    const starter = tmux.starter();
    const withBadKey: TmuxStarter = {
      ...starter,
      start(spec, signal) {
        const at = spec.argv.indexOf("--lead-verify-key") + 1;
        return starter.start({ ...spec, argv: spec.argv.with(at, "none") }, signal);
      },
    };
    const scripts = team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I see.") });
    const host = await openTeamHost(scripts, {}, { processes: { starter: withBadKey, cli: cli.file } });
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    expect(host.lastSent("team-lead")).toContain("alice was not started: --lead-verify-key is no key: ");
    expect(readdirSync(path.join(host.root, "teams/demo/muster/presence"))).toEqual(["team-lead.json"]);
    expect(teamPanes()).toEqual([]);
  });

  it("takes one that was killed in the middle of a call up in a new pane, with a new key, and it goes on", async () => {
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(task("First")), calls(spawn("alice")), "Waiting.", "Fine."),
        alice: script(
          calls(update("1", { status: "in_progress" })),
          calls(call("Bash", { command: "echo ran >> runs.txt; sleep 987" })),
          calls(update("1", { status: "completed" })),
          "I looked what it had done.",
        ),
      }),
      { permissionMode: "bypassPermissions", autoClaim: false },
      { processes: { starter: killing(tmux.starter()), cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.until("the command", () => existsSync(path.join(host.cwd, "runs.txt")));
    const [before] = teamPanes();
    const key = keyOf(before?.pid ?? 0);
    await host.reload();
    await host.until("alice to be told", () => host.lastSent("alice").includes(MAY_HAVE_RUN));
    const after = teamPanes();
    expect(after).toHaveLength(1);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(isAlive(before?.pid ?? 0)).toBe(false);
    expect(key).toMatch(/^\d+\.[\w-]{40,}$/);
    expect(keyOf(after[0]?.pid ?? 0)).toMatch(/^\d+\.[\w-]{40,}$/);
    expect(keyOf(after[0]?.pid ?? 0)).not.toBe(key);
    const member = (await host.store.teams.read("demo")).members.find(({ name }) => name === "alice");
    expect(member).toMatchObject({ backendType: "tmux", tmuxPaneId: after[0]?.id });
    await host.rest();
    expect(await readFile(path.join(host.cwd, "runs.txt"), "utf8")).toBe("ran\n");
    expect((await host.store.snapshots.read("demo")).graph.tasks.get("1")).toMatchObject({
      status: "completed",
      owner: "alice",
    });
  });
});

function teamPanes(): PaneRow[] {
  return tmux.panes().filter(({ session }) => session !== "mine");
}

/** Ends what it started as `kill -9` does, so that nothing is written or said any more. */
function killing(starter: TmuxStarter): TmuxStarter {
  return {
    ...starter,
    async start(spec, signal) {
      const started = await starter.start(spec, signal);
      const pid = teamPanes().find(({ id }) => id === started.address)?.pid ?? 0;
      return {
        ...started,
        async kill() {
          if (isAlive(pid)) process.kill(pid, "SIGKILL");
          await started.exited;
        },
      };
    },
  };
}

/** The key with which a teammate's process checks what its lead writes. */
function keyOf(pid: number): string {
  const args = execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  return /--lead-verify-key (\S+)/.exec(args)?.[1] ?? "";
}
