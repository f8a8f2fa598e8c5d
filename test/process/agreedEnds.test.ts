import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { steps, type Turn } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

function lead({ incoming }: Turn) {
  return incoming.text.includes("Spawn alice") ? calls(spawn("alice")) : "Fine.";
}

describe("a process member that has ended", () => {
  const opened = async (clock = systemClock) => {
    const starter = childStarter();
    const scripts = team({ "team-lead": steps([calls(createTeam), calls(spawn("alice"))], lead) });
    const host = await openTeamHost(scripts, {}, { clock, processes: { starter, cli: cli.file } });
    host.session.start("Go.");
    await host.rest();
    return { host, kill: () => process.kill(starter.pids.get("alice") ?? 0, "SIGKILL") };
  };
  const left = ({ events }: TeamHost) => events.filter((event) => event.type === "member_left");

  async function agreed(host: TeamHost): Promise<void> {
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => left(host).length === 1);
    expect(left(host)).toMatchObject([{ member: "alice", reason: "shutdown" }]);
  }

  async function toldFailed(host: TeamHost): Promise<void> {
    await host.until("the lead to hear", () =>
      host.sent("team-lead").some((text) => text.includes("alice has failed")),
    );
    expect(left(host).at(-1)).toMatchObject({ reason: "signal SIGKILL" });
  }

  it("as it agreed to has shut down, also where the clock was set back meanwhile", async () => {
    let ahead = 3_600_000;
    const { host } = await opened({ ...systemClock, now: () => Date.now() + ahead });
    await using _ = host;
    ahead = 0;
    await agreed(host);
  });

  it("has failed where its answer is to a request that nobody made", async () => {
    const { host, kill } = await opened();
    await using _ = host;
    const text = JSON.stringify({ type: "shutdown_approved", requestId: "shutdown-1@alice", from: "alice" });
    await host.store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text });
    kill();
    await toldFailed(host);
  });

  it("has failed where only an earlier one of its name has agreed", async () => {
    const { host, kill } = await opened();
    await using _ = host;
    await agreed(host);
    await host.session.say("team-lead", "Spawn alice.");
    await host.until("the next alice", () =>
      host.session.members().some(({ name, state }) => name === "alice" && state === "idle"),
    );
    kill();
    await toldFailed(host);
  });
});
