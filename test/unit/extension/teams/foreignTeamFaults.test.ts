import { setImmediate } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { openForeignTeam } from "../../../../src/extension/teams/foreignTeam.ts";
import { SUSPECT_AFTER_MS } from "../../../../src/protocol/team.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { calls, createTeam, script, task, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

/** A team that another window leads, at rest, and the store of this window. */
async function ledElsewhere() {
  const { host, live, start } = await windowTeams(
    team({ "team-lead": script(calls(createTeam), calls(task("Mend it")), "I wait.") }),
  );
  await start();
  await host.rest();
  const store = createStore({ root: host.root });
  const address = { root: host.root, kind: "team", folder: "demo" } as const;
  return {
    host,
    store,
    open: (through: Store) => openForeignTeam(through, address, silentLogger),
    async [Symbol.asyncDispose]() {
      store.dispose();
      live.dispose();
      await host[Symbol.asyncDispose]();
    },
  };
}

it("nothing of a team is followed that cannot be opened", async () => {
  await using led = await ledElsewhere();
  const watch = vi.fn(led.store.watch);
  const isLive = async () => {
    throw new Error("The processes cannot be listed.");
  };
  const through = { ...led.store, watch, leads: { ...led.store.leads, isLive } };
  await expect(led.open(through)).rejects.toThrow("The processes cannot be listed.");
  expect(watch).toHaveBeenCalled();
  expect(watch.mock.calls.map(([, , signal]) => signal.aborted)).not.toContain(false);
});

it("who runs a team is what was seen last, however long an earlier look takes", async () => {
  await using led = await ledElsewhere();
  const slow = Promise.withResolvers<boolean>();
  const isLive = vi.fn(async () => false);
  isLive.mockResolvedValueOnce(true).mockReturnValueOnce(slow.promise);
  const shown = await led.open({ ...led.store, leads: { ...led.store.leads, isLive } });
  expect(shown.state().readOnly).toContain("runs this team");
  await led.host.session.tasks.create({ subject: "The second", description: "" });
  await led.host.until("the slow look", () => isLive.mock.calls.length === 2 || undefined);
  await led.host.session.tasks.create({ subject: "The third", description: "" });
  await led.host.until("the third task", () => shown.tasks().length === 3 || undefined);
  slow.resolve(true);
  await led.host.until("the last look", () => shown.state().readOnly?.startsWith("Nobody runs") || undefined);
  await setImmediate();
  expect(shown.state().readOnly).toContain("Nobody runs this team");
  shown.dispose();
});

it("a reply that cannot be read once is read when it has grown", async () => {
  await using led = await ledElsewhere();
  const read = vi.fn(led.store.live.read);
  read.mockRejectedValueOnce(new Error("It cannot be read."));
  const shown = await led.open({ ...led.store, live: { ...led.store.live, read } });
  await shown.conversation("team-lead");
  await led.host.store.live.write("demo", "team-lead", "I");
  await led.host.until("the first look", () => read.mock.calls.length > 0 || undefined);
  await led.host.store.live.write("demo", "team-lead", "I write");
  await led.host.until("the reply", () => shown.streaming("team-lead") === "I write" || undefined);
  shown.dispose();
});

it("a member whose heartbeats go on is never shown as silent, though nothing else of it changes", async () => {
  await using led = await ledElsewhere();
  const presence = await led.store.presence.read("demo", "team-lead");
  if (!presence) throw new Error("the lead shows no presence");
  const beaten = (agoMs: number) =>
    led.store.presence.write("demo", "team-lead", { ...presence, beat: Date.now() - agoMs });
  await beaten(SUSPECT_AFTER_MS - 3_000);
  const shown = await led.open(led.store);
  await beaten(0);
  await new Promise((resolve) => setTimeout(resolve, 3_500));
  expect(shown.state().members.map(({ state }) => state)).toEqual(["idle"]);
  await beaten(SUSPECT_AFTER_MS + 1_000); // the look at the files has not ended: that one is noticed
  await led.host.until("its silence", () => shown.state().members[0]?.state === "suspect" || undefined);
  shown.dispose();
});

it("no member is silent for a window that stood still itself, before it has listened again", async () => {
  await using led = await ledElsewhere();
  const shown = await led.open(led.store);
  const stateAfter = (ms: number) => {
    const now = Date.now() + ms;
    const clock = vi.spyOn(Date, "now").mockReturnValue(now);
    const states = shown.state().members.map(({ state }) => state);
    clock.mockRestore();
    return states;
  };
  expect(stateAfter(0)).toEqual(["idle"]);
  expect(stateAfter(60_000)).toEqual(["idle"]);
  expect(stateAfter(69_000)).toEqual(["idle"]);
  expect(stateAfter(71_000)).toEqual(["suspect"]);
  shown.dispose();
});
