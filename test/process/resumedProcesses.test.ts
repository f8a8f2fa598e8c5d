import { spawn as spawnProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { MusterError } from "../../src/base/errors.ts";
import { createDemoScript, DEMO_GOAL, DEMO_SETTINGS } from "../../src/demo/demoTeam.ts";
import { call } from "../../src/demo/script.ts";
import type { PendingRequest } from "../../src/protocol/request.ts";
import type { ProcessStarter } from "../../src/team/backends/processStarter.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { finishDemo, isCommand } from "../support/finishDemo.ts";
import { writeSample } from "../support/sampleFolder.ts";
import { openTeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team, update } from "../support/teamScripts.ts";
import { isAlive, kill } from "../support/traces.ts";

const cli = useBuiltCli();

describe("teammates that are processes, after a reload of their host", () => {
  it("go on where one of them cannot be started: that one has failed, its task is free, and the lead hears of it", async () => {
    const children = childStarter();
    let reloaded = false;
    const starter: ProcessStarter = {
      ...children,
      async start(spec, signal) {
        if (reloaded && spec.name === "bob") throw new MusterError("not_ready", "The window has no room.");
        return children.start(spec, signal);
      },
    };
    const asks = calls(call("Bash", { command: "touch made.txt" }));
    const host = await openTeamHost(
      team({
        "team-lead": script(
          calls(createTeam, call("TaskCreate", { subject: "First", description: "Do it." })),
          calls(spawn("bob"), spawn("alice")),
          "Waiting.",
          "Fine.",
          "Fine.",
        ),
        bob: script(calls(update("1", { status: "in_progress" })), asks, "Made."),
        alice: script("Here.", "Still here."),
      }),
      { autoClaim: false },
      { processes: { starter, cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.request();
    const isThere = () => host.session.members().some(({ name, state }) => name === "alice" && state === "idle");
    await host.until("alice to be there", isThere);
    reloaded = true;
    await host.reload();
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead", "alice"]);
    await host.until("the lead to hear", () =>
      host.lastSent("team-lead").includes("bob has failed (The window has no room)"),
    );
    expect((await host.store.snapshots.read("demo")).graph.tasks.get("1")).toMatchObject({ status: "pending" });
    expect(host.session.requests.pending).toEqual([]);
    await host.until("its mail to be read", async () =>
      (await host.store.inboxes.read("demo", "team-lead")).entries.every(({ read }) => read),
    );
    await host.session.say("alice", "Are you there?");
    await host.until("alice", () => host.lastSent("alice").includes("Are you there?"));
  });

  it("start side by side: one that does not come holds up nobody else, the lead neither, but for a rest", async () => {
    const children = childStarter();
    const aliceRuns = Promise.withResolvers<void>();
    let reloaded = false;
    const starter: ProcessStarter = {
      ...children,
      async start(spec, signal) {
        if (reloaded && spec.name === "bob") {
          await aliceRuns.promise;
          throw new MusterError("not_ready", "The window has no room.");
        }
        return children.start(spec, signal);
      },
    };
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("bob"), spawn("alice")), "Waiting.", "Fine.", "Fine."),
        bob: script("Here."),
        alice: script("Here.", "Still here."),
      }),
      {},
      { processes: { starter, cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    const before = children.pids.get("alice");
    reloaded = true;
    const reload = host.reload();
    await host.until("alice", () => children.pids.get("alice") !== before && isAlive(children.pids.get("alice") ?? 0));
    await host.session.say("alice", "Are you there?");
    await host.until("her answer", () => host.lastSent("alice").includes("Are you there?"));
    await host.session.say("team-lead", "And you?");
    await host.until("the lead's answer", () => host.lastSent("team-lead").includes("And you?"));
    let isAtRest = false;
    const rest = host.rest().then(() => {
      isAtRest = true;
    });
    await host.until("both to be idle", () => host.session.members().every(({ state }) => state === "idle"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isAtRest).toBe(false);
    aliceRuns.resolve();
    await reload;
    await host.until("the lead to hear", () => host.lastSent("team-lead").includes("bob has failed"));
    await rest;
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead", "alice"]);
  });

  it("are taken up by the lead where a person has started them by hand meanwhile: no two run at once", async () => {
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
        alice: script("Here.", "By hand.", "Here again."),
      }),
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    await host.session.suspend();
    await host.store.inboxes.send("demo", { from: "user", to: ["alice"], text: "Are you there?" });
    const env = { PATH: process.env["PATH"] ?? "", ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: host.server.url };
    const byHand = spawnProcess(
      process.execPath,
      [cli.file, "teammate", "--agent-id", "alice@demo", "--root", host.root],
      { cwd: host.cwd, env: { ...env, HOME: host.cwd }, stdio: "ignore" },
    );
    const ended = once(byHand, "exit");
    try {
      await host.until("its answer", () => host.lastSent("alice").includes("Are you there?"));
      await host.resume();
      expect(isAlive(byHand.pid ?? 0)).toBe(false);
      expect((await ended)[0]).toBe(1);
    } finally {
      byHand.kill("SIGKILL");
    }
    expect(host.session.members().map(({ name }) => name)).toEqual(["team-lead", "alice"]);
    await host.session.say("alice", "And now?");
    await host.until("alice", () => host.lastSent("alice").includes("And now?"));
  });

  it("go on in a host without processes, once the earlier process is gone, and the files say where they are", async () => {
    const children = childStarter();
    // Its process lives on for a moment, as after a kill of its lead.
    const starter: ProcessStarter = {
      ...children,
      async start(spec, signal) {
        const started = await children.start(spec, signal);
        const left = Promise.withResolvers<{ reason: string }>();
        const kill = async () => left.resolve({ reason: "its lead was killed" });
        return { ...started, kill, exited: Promise.race([started.exited, left.promise]) };
      },
    };
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "Fine."),
        alice: script("Here.", "Here."),
      }),
      {},
      { processes: { starter, cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    const pid = children.pids.get("alice");
    await host.session.suspend();
    setTimeout(() => kill(pid), 1_000);
    await host.resume("in-process");
    expect(isAlive(pid ?? 0)).toBe(false);
    expect(host.session.members()).toMatchObject([{ name: "team-lead" }, { name: "alice", backend: "in-process" }]);
    const { members } = await host.store.teams.read("demo");
    expect(members[1]).toMatchObject({ name: "alice", backendType: "in-process", tmuxPaneId: "in-process" });
    await host.session.say("alice", "Are you there?");
    await host.until("alice", () => host.lastSent("alice").includes("Are you there?"));
  });

  it("stay where they were: one that the person wanted in the host's own process does not become a process", async () => {
    const children = childStarter();
    const host = await openTeamHost(
      team({
        "team-lead": script(calls(createTeam), "Waiting.", "Fine."),
        alice: script("Here."),
        bob: script("Here."),
      }),
      {},
      { processes: { starter: children, cli: cli.file } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    await host.session.spawn({ name: "alice", prompt: "Wait.", backend: "in-process" });
    await host.session.spawn({ name: "bob", prompt: "Wait." });
    await host.until("both", () => host.session.members().filter(({ state }) => state === "idle").length === 3);
    await host.reload();
    const places = host.session.members().map(({ name, backend }) => [name, backend]);
    expect(places).toEqual([
      ["team-lead", "in-process"],
      ["alice", "in-process"],
      ["bob", "tmux"],
    ]);
    expect([...children.pids.keys()]).toEqual(["bob"]);
  });
});

const isPlan = ({ kind }: PendingRequest) => kind === "plan";

it.concurrent.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "the demo with teammates as processes goes on after a reload of its lead (%s)",
  async (ending) => {
    const starter = childStarter(ending);
    const host = await openTeamHost(createDemoScript({ quick: true }), DEMO_SETTINGS, {
      folderName: "demo team-",
      processes: { starter, cli: cli.file },
    });
    await using _ = host;
    await writeSample(host.cwd);
    host.session.start(DEMO_GOAL);
    const plan = await host.request(isPlan);
    const command = await host.request(isCommand);
    await host.session.suspend();
    await host.restartServer(createDemoScript({ quick: true }));
    await host.resume();
    expect((await host.request(isPlan)).id).toBe(plan.id);
    expect((await host.request(isCommand)).id).toBe(command.id);
    await host.decide(plan, { kind: "approve", mode: "acceptEdits" });
    await host.decide(command, { kind: "allow", scope: "once" });
    await finishDemo(host, 120_000);
  },
);
