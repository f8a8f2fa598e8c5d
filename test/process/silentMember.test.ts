import { expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { call } from "../../src/demo/script.ts";
import { useBuiltCli } from "../support/buildCli.ts";
import { childStarter } from "../support/childStarter.ts";
import { openTeamHost, type TeamHost } from "../support/teamHost.ts";
import { calls, createTeam, script, spawn, task, team } from "../support/teamScripts.ts";

const cli = useBuiltCli();

/** A team whose alice waits for the person and owns a task, and whose lead's clock is `ahead` of hers. */
async function open(clock: { ahead: number }): Promise<TeamHost> {
  const asks = script(calls(call("Bash", { command: "touch made.txt" })), "Made.");
  const leads = script(calls(createTeam), calls(task("First"), spawn("alice")), "Waiting.", "Fine.");
  const host = await openTeamHost(
    team({ "team-lead": leads, alice: asks }),
    {},
    {
      clock: { ...systemClock, now: () => systemClock.now() + clock.ahead },
      processes: { starter: childStarter(), cli: cli.file },
    },
  );
  host.session.start("Go.");
  await host.request();
  await host.store.tasks.update("demo", "1", { owner: "alice" }, { by: "team-lead" });
  return host;
}

const stateOf = ({ session }: TeamHost) => session.members().find(({ name }) => name === "alice")?.state;

/** Has the lead look at how its members are. */
async function look({ store, until, events }: TeamHost, subject: string): Promise<void> {
  await store.tasks.update("demo", "1", { subject }, { by: "team-lead" });
  await until("a look", () => events.some((one) => one.type === "task" && one.task.subject === subject));
}

it("a process member that is silent for long is suspected, and keeps its place and its task until it is heard of again", async () => {
  const clock = { ahead: 0 };
  await using host = await open(clock);
  for (clock.ahead = 9_000; clock.ahead < 40_000; clock.ahead += 9_000) await look(host, `${clock.ahead} ms`);
  await host.until("the suspicion", () => stateOf(host) === "suspect");
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead", "alice"]);
  expect((await host.store.snapshots.read("demo")).graph.tasks.get("1")?.owner).toBe("alice");
  await host.session.say("alice", "Are you there?");
  clock.ahead = 0;
  await host.until("a sign of life", () => stateOf(host) === "waiting");
});

it("a process member is not suspected by a lead that stood still itself, and looks before it has heard of anybody", async () => {
  const clock = { ahead: 0 };
  await using host = await open(clock);
  clock.ahead = 41_000;
  await look(host, "After a break");
  clock.ahead = 0;
  await look(host, "As ever");
  expect(stateOf(host)).toBe("waiting");
  expect(host.events.filter((one) => one.type === "member_state" && one.state === "suspect")).toEqual([]);
});
