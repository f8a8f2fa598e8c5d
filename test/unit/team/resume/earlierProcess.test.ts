import { spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../../../src/base/clock.ts";
import { MusterError } from "../../../../src/base/errors.ts";
import { startTimeOf } from "../../../../src/store/processIdentity.ts";
import type { ProcessStarter } from "../../../../src/team/backends/processStarter.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, createTeam, script, team } from "../../../support/teamScripts.ts";

/** Beats come ten times as often; the patience with an earlier process stays. */
const fastClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal) };

it.each(["tmux", "in-process"] as const)(
  "the presence of a member that goes on stays its earlier process's until that is gone (%s)",
  async (backendType) => {
    const started: number[] = [];
    const starter: ProcessStarter = {
      type: "tmux",
      async start() {
        started.push(systemClock.now());
        throw new MusterError("not_ready", "The window has no room.");
      },
    };
    const host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), "Waiting.", "Fine."), alice: script("Here.") }),
      {},
      { clock: fastClock, processes: { starter, cli: "muster.mjs" } },
    );
    await using _ = host;
    host.session.start("Go.");
    await host.rest();
    await host.session.spawn({ name: "alice", prompt: "Wait.", backend: "in-process" });
    await host.until("alice", () =>
      host.session.members().some(({ name, state }) => name === "alice" && state === "idle"),
    );
    await host.session.suspend();
    const earlier = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void earlier.kill("SIGKILL"));
    const pid = earlier.pid ?? 0;
    const { store } = host;
    const read = async (name: string) => await store.presence.read("demo", name);
    const before = await read("alice");
    if (!before) throw new Error("There is no presence.");
    const left = { ...before, ...store.process, pid, startTime: await startTimeOf(pid), nonce: "old-nonce" };
    await store.presence.write("demo", "alice", left);
    await store.teams.updateMember("demo", "alice", { backendType });
    const suspended = host.session;
    const resumed = host.resume();
    const goesOn = () => host.session !== suspended && host.session.members().some(({ name }) => name === "alice");
    await host.until("the next session", goesOn);
    await host.session.interrupt("alice"); // nothing of it runs here
    await host.session.setMode("alice", "acceptEdits");
    const first = (await read("team-lead"))?.beat ?? 0;
    await host.until("a beat", async () => ((await read("team-lead"))?.beat ?? 0) > first);
    await store.presence.settled();
    expect(await read("alice")).toEqual(left);
    expect(started).toEqual([]);
    earlier.kill("SIGKILL");
    await resumed;
    expect(started).toHaveLength(backendType === "tmux" ? 1 : 0);
  },
);
