import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { deleteStoredTeam, requireUnrun } from "../../../../src/extension/teams/storedTeams.ts";
import type { Store } from "../../../../src/store/store.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

const addressIn = ({ store }: ChangesBench) => ({ root: store.paths.root, kind: "team", folder: "crew" }) as const;

/** What comes before the question whether to delete the bench's team. */
const check = (bench: ChangesBench) => requireUnrun(addressIn(bench), silentLogger);

/** What comes behind it, where the answer is yes. */
const deletion = (bench: ChangesBench) => deleteStoredTeam(addressIn(bench), { keepHistory: false, log: silentLogger });

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
])("a team that $what is refused before anything is asked, and not deleted", async ({ become, refusal }) => {
  await using bench = await changesBench({}, { repository: false });
  await become(bench);
  const before = await names(bench);
  await expect(check(bench)).rejects.toThrow(refusal);
  await expect(deletion(bench)).rejects.toThrow(refusal);
  expect(await names(bench)).toEqual(before);
});

it("a team that somebody begins to run while the question stands is left alone", async () => {
  await using bench = await changesBench({}, { repository: false });
  await check(bench);
  await run(bench.store);
  await expect(deletion(bench)).rejects.toThrow("ann still runs in process");
  expect(await names(bench)).toEqual(["crew"]);
});

it("a team that nobody runs is there after the check, and gone after the deletion", async () => {
  await using bench = await changesBench({}, { repository: false });
  await check(bench);
  expect(await names(bench)).toEqual(["crew"]);
  expect(await deletion(bench)).toBeNull();
  expect(await names(bench)).toEqual([]);
});
