import { describe, expect, it } from "vitest";
import { steps, type Turn } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

function leadScript() {
  const asked = ({ incoming }: Turn) => incoming.text.includes("Spawn alice");
  return steps([calls(createTeam), "Ready."], (turn) => (asked(turn) ? calls(spawn("alice")) : "Fine."));
}

/** Spawns alice, lets her rest, and gives what she has used. */
async function spawnAlice(host: TeamHost): Promise<unknown> {
  const alice = () => host.session.members().find(({ name }) => name === "alice");
  await host.session.say("team-lead", "Spawn alice.");
  await host.until("alice to be idle", () => alice()?.state === "idle");
  await host.rest();
  return alice()?.usage;
}

describe("a process member with the name of one that is gone", () => {
  it("says and costs only what is its own, also after a reload", { timeout: 60_000 }, async () => {
    const processes = { starter: childStarter(), cli: cli.file };
    const scripts = team({ "team-lead": leadScript(), alice: script("Here.") });
    await using host = await openTeamHost(scripts, {}, { processes });
    host.session.start("Go.");
    await host.rest();
    await spawnAlice(host);
    await host.session.askToStop("alice", "Done.");
    await host.until("alice to leave", () => host.session.members().length === 1);
    await host.rest();
    host.events.length = 0;
    const used = await spawnAlice(host);
    const said = () => host.events.filter((event) => event.type === "text" && event.member === "alice");
    expect(said()).toHaveLength(1);
    const replies = host.events.flatMap((event) =>
      event.type === "usage" && event.member === "alice" ? [event.output_tokens] : [],
    );
    expect(replies).toHaveLength(1);
    expect(used).toMatchObject({ output_tokens: replies[0] });
    host.events.length = 0;
    await host.reload();
    await host.until("alice to be back", () =>
      host.session.members().some(({ name, state }) => name === "alice" && state === "idle"),
    );
    await host.rest();
    expect(said()).toEqual([]);
    expect(host.session.members().find(({ name }) => name === "alice")?.usage).toEqual(used);
  });
});
