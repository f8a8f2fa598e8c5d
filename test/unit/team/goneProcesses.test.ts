import { describe, expect, it } from "vitest";
import { faultSwitch } from "../../support/faultyStore.ts";
import { heldStarter, idleProgram } from "../../support/heldStarter.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

const scripts = () =>
  team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "I see.", "I see.") });

describe("a teammate's process that ends while files cannot be used", () => {
  it.each(["inboxes.readAll", "spawns.remove", "presence.read"])(
    "leaves the team all the same, where %s fails",
    async (call) => {
      const fault = faultSwitch(call);
      const { starter, leave } = heldStarter();
      await using host = await openTeamHost(
        scripts(),
        {},
        { throughStore: fault.throughStore, processes: { starter, cli: "", program: idleProgram } },
      );
      host.session.start("Go.");
      await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
      fault.arm();
      leave("alice");
      await host.until("alice to leave", () => host.session.members().length === 1, 5_000);
      expect(fault.failed).toBeGreaterThan(0);
      expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
      await host.until("the lead to hear", () => host.lastSent("team-lead").includes("alice has failed (exit code 1)"));
      await host.session.end({ graceMs: 0, interrupted: false });
      expect(await host.store.leads.read("demo")).toBeNull();
    },
  );

  it("and whose requests cannot be taken back, leaves too", async () => {
    const fault = faultSwitch("audit.append");
    const { starter, leave } = heldStarter();
    await using host = await openTeamHost(
      scripts(),
      {},
      { throughStore: fault.throughStore, processes: { starter, cli: "", program: idleProgram } },
    );
    host.session.start("Go.");
    await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
    const plan = {
      type: "plan_approval_request",
      from: "alice",
      requestId: "p1",
      planContent: "Do it.",
      planFilePath: "",
    };
    await host.store.inboxes.send("demo", { from: "alice", to: ["team-lead"], text: JSON.stringify(plan) });
    await host.request();
    fault.arm();
    leave("alice");
    await host.until("alice to leave", () => host.session.members().length === 1, 5_000);
    expect(host.session.requests.pending).toEqual([]);
    expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
  });
});

it("a host that goes away gives the lease back, also where the end of a process cannot be told", async () => {
  const { starter } = heldStarter();
  const end = Promise.withResolvers<never>();
  const untold: typeof starter = {
    ...starter,
    start: async (spec, signal) => ({
      ...(await starter.start(spec, signal)),
      exited: end.promise,
      kill: async () => end.reject(new Error("The place does not answer.")),
    }),
  };
  await using host = await openTeamHost(
    scripts(),
    {},
    { processes: { starter: untold, cli: "", program: idleProgram } },
  );
  host.session.start("Go.");
  await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
  await host.session.suspend();
  expect(await host.store.leads.read("demo")).toBeNull();
});

it("a teammate that another program removed is ended once, however long its end takes", async () => {
  const kills: string[] = [];
  const going = Promise.withResolvers<void>();
  const { starter } = heldStarter(async (name) => {
    kills.push(name);
    await going.promise;
  });
  await using host = await openTeamHost(scripts(), {}, { processes: { starter, cli: "", program: idleProgram } });
  host.session.start("Go.");
  await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
  await host.store.teams.removeMember("demo", "alice");
  await host.until("her end", () => kills.length > 0);
  for (const subject of ["One", "Two", "Three"]) await host.session.tasks.create({ subject, description: "" });
  going.resolve();
  await host.until("alice to leave", () => host.session.members().length === 1);
  expect(kills).toEqual(["alice"]);
});

it("a teammate that another program removed is ended again where its place did not close", async () => {
  let tries = 0;
  const { starter } = heldStarter(() => {
    tries += 1;
    if (tries === 1) throw new Error("The place does not answer.");
  });
  await using host = await openTeamHost(scripts(), {}, { processes: { starter, cli: "", program: idleProgram } });
  host.session.start("Go.");
  await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
  await host.store.teams.removeMember("demo", "alice");
  await host.until("her end", () => tries > 0);
  await host.session.tasks.create({ subject: "One", description: "" });
  await host.until("alice to leave", () => host.session.members().length === 1);
  expect(tries).toBe(2);
});
