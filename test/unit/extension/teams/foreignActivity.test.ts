import { expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call, steps } from "../../../../src/demo/script.ts";
import { openForeignTeam } from "../../../../src/extension/teams/foreignTeam.ts";
import type { ShownTeam } from "../../../../src/extension/teams/shownTeam.ts";
import { createStore, type Store } from "../../../../src/store/store.ts";
import { calls, createTeam, script, spawn, task, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

/** A team that another window leads: its lead and alice have made a task each. */
async function ledElsewhere() {
  const lead = script(calls(createTeam), calls(task("Mend it")), calls(spawn("alice")), "I wait.");
  const alice = steps([calls(task("Try it")), calls(call("TaskList", {})), "Done."], () => "Done.");
  const { host, live, start } = await windowTeams(team({ "team-lead": lead, alice }));
  await start();
  await host.rest();
  const store = createStore({ root: host.root });
  const address = { root: host.root, kind: "team", folder: "demo" } as const;
  return {
    ...{ host, live, store },
    open: (through: Partial<Store> = {}) => openForeignTeam({ ...store, ...through }, address, silentLogger),
    async [Symbol.asyncDispose]() {
      store.dispose();
      live.dispose();
      await host[Symbol.asyncDispose]();
    },
  };
}

/** Who made which task, oldest first. */
async function made(shown: ShownTeam): Promise<string[]> {
  const facts = await shown.activity();
  const made = facts.filter(({ event, who }) => event.what === "created" && who !== null).toReversed();
  return made.map(({ who, event }) => `${who} ${"subject" in event ? event.subject : ""}`);
}

it("the activity of a team that runs elsewhere is whole, though none of its conversations was opened", async () => {
  await using led = await ledElsewhere();
  const shown = await led.open();
  expect(await made(shown)).toEqual(["team-lead Mend it", "alice Try it"]);
  expect((await shown.activity()).map(({ id }) => id)).toEqual((await led.live.activity()).map(({ id }) => id));
  shown.dispose();
});

it("what a member does later is told as a change, and comes with the activity", async () => {
  await using led = await ledElsewhere();
  const shown = await led.open();
  await shown.activity();
  const changed = vi.fn();
  shown.onDidChange(changed);
  const at = new Date().toISOString();
  const failed = { kind: "run_end", at, outcome: "failed", reason: "No key." } as const;
  await led.store.transcripts.append({ team: "demo", agent: "team-lead" }, failed);
  await led.host.until("the failure", async () => {
    if (changed.mock.calls.length === 0) return undefined;
    return (await shown.activity()).some(({ event }) => event.what === "failed") || undefined;
  });
  shown.dispose();
});

it("a transcript that takes long holds neither the activity nor the other conversations, and comes as a change", async () => {
  await using led = await ledElsewhere();
  const slow = Promise.withResolvers<void>();
  const readFrom = vi.fn<Store["transcripts"]["readFrom"]>(async (owner, offset) => {
    if ("agent" in owner && owner.agent === "team-lead") await slow.promise;
    return led.store.transcripts.readFrom(owner, offset);
  });
  const shown = await led.open({ transcripts: { ...led.store.transcripts, readFrom } });
  expect(await made(shown)).toEqual([]);
  expect((await shown.conversation("alice")).items.length).toBeGreaterThan(0);
  expect(await made(shown)).toEqual(["alice Try it"]);
  const changed = vi.fn();
  shown.onDidChange(changed);
  slow.resolve();
  await led.host.until("the change", () => changed.mock.calls.length > 0 || undefined);
  expect(await made(shown)).toEqual(["team-lead Mend it", "alice Try it"]);
  shown.dispose();
});

it("what a member is writing is not read for the activity", async () => {
  await using led = await ledElsewhere();
  const read = vi.fn(led.store.live.read);
  const shown = await led.open({ live: { ...led.store.live, read } });
  await shown.activity();
  await shown.conversation("alice");
  await led.host.store.live.write("demo", "team-lead", "I write");
  await led.host.store.live.write("demo", "alice", "I write");
  await led.host.until("the reply", () => shown.streaming("alice") === "I write" || undefined);
  expect(new Set(read.mock.calls.map(([, agent]) => agent))).toEqual(new Set(["alice"]));
  shown.dispose();
});
