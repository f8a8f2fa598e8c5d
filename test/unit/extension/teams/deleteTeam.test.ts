import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { deleteStoredTeam } from "../../../../src/extension/teams/storedTeams.ts";
import type { Store } from "../../../../src/store/store.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

/** Deletes the bench's team; `asked` tells how often the person was asked. */
function deletion({ store }: ChangesBench, answer: () => Promise<boolean>) {
  const told = { asked: 0 };
  const confirm = async () => {
    told.asked += 1;
    return await answer();
  };
  const address = { root: store.paths.root, kind: "team", folder: "crew" } as const;
  return { told, done: deleteStoredTeam(address, { keepHistory: false, log: silentLogger, confirm }) };
}

const names = async ({ store }: ChangesBench) => (await store.teams.list()).map(({ name }) => name);

/** A member's process, this one, runs it. */
async function run(store: Store): Promise<void> {
  const here = await store.processes.self();
  const [since, beat] = [Date.now(), Date.now()];
  await store.presence.write("crew", "ann", { ...here, incarnation: "1", state: "idle", since, beat, nonce: "n" });
}

/** Its files are those of another program. */
async function makeForeign({ store }: ChangesBench): Promise<void> {
  const { config } = store.paths.team("crew");
  const { muster: _, ...rest } = JSON.parse(await readFile(config, "utf8")) as Record<string, unknown>;
  await writeFile(config, JSON.stringify(rest));
}

it.each([
  {
    what: "is gone",
    become: async ({ store }: ChangesBench) => void (await store.teams.delete("crew", { keepHistory: false, now: 0 })),
    refusal: "This team is gone already: there is nothing to delete.",
  },
  { what: "another program made", become: makeForeign, refusal: "Another program made this team: delete it there." },
  { what: "somebody runs", become: ({ store }: ChangesBench) => run(store), refusal: "ann still runs in process" },
])("a team that $what is refused before anything is asked", async ({ become, refusal }) => {
  await using bench = await changesBench({}, { repository: false });
  await become(bench);
  const before = await names(bench);
  const { told, done } = deletion(bench, async () => true);
  await expect(done).rejects.toThrow(refusal);
  expect(told.asked).toBe(0);
  expect(await names(bench)).toEqual(before);
});

it("a team that somebody begins to run while the question stands is left alone", async () => {
  await using bench = await changesBench({}, { repository: false });
  const { done } = deletion(bench, async () => {
    await run(bench.store);
    return true;
  });
  await expect(done).rejects.toThrow("ann still runs in process");
  expect(await names(bench)).toEqual(["crew"]);
});

it("a team that nobody runs is deleted only where the person says so", async () => {
  await using bench = await changesBench({}, { repository: false });
  expect(await deletion(bench, async () => false).done).toBeUndefined();
  expect(await names(bench)).toEqual(["crew"]);
  const { told, done } = deletion(bench, async () => true);
  expect(await done).toBeNull();
  expect(told.asked).toBe(1);
  expect(await names(bench)).toEqual([]);
});
