import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { call } from "../../src/demo/script.ts";
import { api, events, nextEvent, ofType, runFinished, useCliRuns } from "../support/cliRuns.ts";
import { eventually } from "../support/eventually.ts";
import { startCli } from "../support/runCli.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team, update } from "../support/teamScripts.ts";
import { openTmuxServer } from "../support/tmuxServer.ts";

const runs = useCliRuns();
const AGAIN = "Press Esc or Ctrl-C again within 3 s to end this teammate.";

test.each(["Escape", "C-c"])(
  "a teammate at rest outlives one %s; a second one ends it, and nothing has failed",
  async (key) => {
    const tmux = await openTmuxServer();
    onTestFinished(() => tmux.close());
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(task("First")), calls(spawn("alice")), "Waiting.", "I see."),
        alice: script(calls(update("1", { owner: "alice", status: "in_progress" })), "I wait."),
      }),
      { permissionMode: "bypassPermissions" },
      { processes: { starter: tmux.starter(), cli: runs.file } },
    );
    await using _ = host;
    const alice = () => host.session.members().find(({ name }) => name === "alice");
    host.session.start("Go.");
    await host.until("its rest", () => alice()?.state === "idle");
    const [pane] = tmux.panes();
    const press = (...keys: string[]) => tmux.tmux("send-keys", "-t", pane?.id ?? "", ...keys);
    press(key);
    await eventually("the sentence", () => tmux.tmux("capture-pane", "-p", "-J", "-t", pane?.id ?? "").includes(AGAIN));
    expect(alice()?.state).toBe("idle");
    press(key, key); // the first of them may come too late on a busy machine
    await host.until("its end", () => !alice());
    await host.until("the lead to hear", () =>
      host.lastSent("team-lead").includes("alice was ended (ended by the person)"),
    );
    expect(host.events.find(({ type }) => type === "member_left")).toMatchObject({ reason: "ended by the person" });
    expect(host.lastSent("team-lead")).toContain("1 task(s) were unassigned: #1");
    const { graph } = await host.store.snapshots.read("demo");
    expect(graph.tasks.get("1")).toMatchObject({ status: "pending" });
    expect(graph.tasks.get("1")?.owner).toBeUndefined();
    expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
    await host.rest();
    expect((await host.session.summary(false)).reason).not.toContain("failed");
  },
);

test("a run whose teammate the person ended in its pane has not failed", async () => {
  const server = await runs.serve(
    team({
      "team-lead": script(
        calls(createTeam, spawn("alice")),
        calls(call("Bash", { command: "while [ ! -e go ]; do sleep 0.1; done" })),
        "Done.",
      ),
      alice: script("Ready."),
    }),
  );
  const folder = runs.home.dir;
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-L", "muster", ...args], {
      encoding: "utf8",
      env: { ...runs.home.env, TMUX_TMPDIR: folder },
    });
  const running = startCli(
    runs.file,
    runs.home,
    ["run", "The goal.", "--json", "--approve", "all", "--teammate-mode", "tmux"],
    { env: { ...api(server), TMUX_TMPDIR: folder } },
  );
  const left = nextEvent(running, ({ type }) => type === "member_left");
  await nextEvent(
    running,
    (event) => event.type === "member_state" && event.member === "alice" && event.state === "idle",
  );
  const pane = tmux("list-panes", "-a", "-F", "#{pane_id}").trim();
  tmux("send-keys", "-t", pane, "Escape");
  await eventually("the sentence", () => tmux("capture-pane", "-p", "-J", "-t", pane).includes(AGAIN));
  tmux("send-keys", "-t", pane, "Escape", "Escape"); // the first of them may come too late on a busy machine
  await left;
  writeFileSync(path.join(runs.home.project, "go"), "");
  const result = await running.result();
  expect(ofType(events(result), "member_left")).toMatchObject([{ member: "alice", reason: "ended by the person" }]);
  expect(runFinished(events(result))).toMatchObject({ result: "completed", exit: 0 });
  expect(result.code).toBe(0);
});
