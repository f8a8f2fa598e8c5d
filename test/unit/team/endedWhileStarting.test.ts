import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { AbortedError } from "../../../src/base/abort.ts";
import type { Store } from "../../../src/store/store.ts";
import { filesBelow } from "../../support/filesBelow.ts";
import { heldStarter, idleProgram } from "../../support/heldStarter.ts";
import { openTeamHost } from "../../support/teamHost.ts";
import { calls, createTeam, script, spawn, team } from "../../support/teamScripts.ts";

it("a teammate of this process that is ended in the middle of its start does not run, and its lead is told", async () => {
  const opening = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I see."), alice: script("Here.") }),
    {},
    {
      throughStore: (store) => ({
        ...store,
        get process() {
          return store.process;
        },
        inboxes: {
          ...store.inboxes,
          async read(folder, agent) {
            if (agent === "alice") {
              opening.resolve();
              await goOn.promise;
            }
            return store.inboxes.read(folder, agent);
          },
        },
      }),
    },
  );
  host.session.start("Go.");
  await opening.promise;
  const ended = host.session.endMember("alice", "no time");
  goOn.resolve();
  await ended;
  await host.rest();
  expect(host.lastSent("team-lead")).toMatch(/alice was ended while it was started/);
  expect(host.count("alice")).toBe(0);
  expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
  await host.store.inboxes.settled();
  expect((await host.store.inboxes.read("demo", "alice")).entries).toEqual([]);
});

/** A store in which an operation waits before it is done: `reached` resolves then, and `goOn` lets it be done. */
function heldAt(step: "adding" | "told") {
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async () => {
    reached.resolve();
    await goOn.promise;
  };
  const throughStore = (store: Store): Store => {
    const { addMember } = store.teams;
    const { send } = store.inboxes;
    if (step === "adding")
      store.teams.addMember = async (...args) => {
        const added = await addMember(...args);
        await hold();
        return added;
      };
    else
      store.inboxes.send = async (...args) => {
        const sent = await send(...args);
        if (args[1].to.includes("alice")) await hold();
        return sent;
      };
    return store;
  };
  return { reached: reached.promise, goOn: goOn.resolve, throughStore };
}

it.each(["adding", "told"] as const)(
  "a session that ends while a teammate is being added (%s) waits until nothing of it is there",
  async (step) => {
    const held = heldAt(step);
    await using host = await openTeamHost(
      team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "I see."), alice: script("Here.") }),
      {},
      { throughStore: held.throughStore },
    );
    host.session.start("Go.");
    await held.reached;
    let isOver = false;
    const ended = host.session.end({ graceMs: 0, interrupted: true }).finally(() => {
      isOver = true;
    });
    await Promise.race([ended, sleep(300)]);
    expect(isOver).toBe(false);
    held.goOn();
    await ended;
    expect((await host.store.teams.read("demo")).members.map(({ name }) => name)).toEqual(["team-lead"]);
    await host.store.inboxes.settled();
    expect((await host.store.inboxes.read("demo", "alice")).entries).toEqual([]);
    expect(host.count("alice")).toBe(0);
    await expect(host.session.spawn({ name: "bob", prompt: "Come." })).rejects.toMatchObject({ reason: "not_ready" });
    expect(Object.keys(await filesBelow(host.root)).filter((file) => /[^/]\.(lock|owner|tmp)$/.test(file))).toEqual([]);
  },
);

it("a teammate that is ended while it is being started again has not failed", async () => {
  const { starter } = heldStarter();
  let starts = 0;
  const hanging: typeof starter = {
    ...starter,
    start(spec, signal) {
      starts += 1;
      if (starts === 1) return starter.start(spec, signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new AbortedError())));
    },
  };
  await using host = await openTeamHost(
    team({ "team-lead": script(calls(createTeam), calls(spawn("alice")), "Waiting.", "I see.", "I see.") }),
    {},
    { processes: { starter: hanging, cli: "", program: idleProgram } },
  );
  host.session.start("Go.");
  await host.until("alice", () => host.session.members().length === 2 && host.count("team-lead") === 3);
  await host.session.suspend();
  const resumed = host.resume();
  await host.until("the start", () => starts === 2);
  await host.session.endMember("alice", "not needed");
  await resumed;
  await host.until("the lead to hear", () => host.lastSent("team-lead").includes("alice was ended"));
  expect((await host.session.end({ graceMs: 0, interrupted: false })).result).not.toBe("failed");
});
