import { mkdir, readFile, writeFile } from "node:fs/promises";
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

/** Another host on the same state root runs a member: a process of its own with `nonce`, else within its lead's. */
async function showMemberElsewhere(store: Store, shown: { beat: number; nonce?: string; ended?: boolean }) {
  await store.presence.write("crew", "ann", { ...ELSEWHERE, incarnation: "1", state: "idle", since: 1, ...shown });
}

/** A host on the same state root whose processes cannot be seen from here leads the team. */
async function leadElsewhere({ store }: ChangesBench, beat: number): Promise<void> {
  const { own, lead } = store.paths.team("crew");
  await mkdir(own, { recursive: true });
  await writeFile(lead, JSON.stringify({ ...ELSEWHERE, sessionId: "s1", since: beat, beat }));
  await showMemberElsewhere(store, { beat });
}

const ELSEWHERE = { pid: 4_711, host: "container#pid:[7]", startTime: "77" };
const LONG_AGO_MS = 60_000;

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
  {
    what: "another host leads",
    become: (bench: ChangesBench) => leadElsewhere(bench, Date.now()),
    refusal: "Team crew is led by process 4711 on container (session s1). Decide there, or end that one first.",
  },
  {
    what: "a process of another host runs a member of",
    become: ({ store }: ChangesBench) => showMemberElsewhere(store, { beat: Date.now(), nonce: "n" }),
    refusal: "ann still runs in process 4711",
  },
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

it.each([
  {
    what: "has not been heard of for a minute",
    become: async (bench: ChangesBench) => {
      const beat = Date.now() - LONG_AGO_MS;
      await leadElsewhere(bench, beat);
      await showMemberElsewhere(bench.store, { beat, nonce: "n" });
    },
  },
  {
    what: "has given it up, and its members with it",
    become: ({ store }: ChangesBench) => showMemberElsewhere(store, { beat: Date.now() }),
  },
  {
    what: "has ended its member's process in order",
    become: ({ store }: ChangesBench) => showMemberElsewhere(store, { beat: Date.now(), nonce: "n", ended: true }),
  },
])("a team whose other host $what can be deleted", async ({ become }) => {
  await using bench = await changesBench({}, { repository: false });
  await become(bench);
  await check(bench);
  await deletion(bench);
  expect(await names(bench)).toEqual([]);
});

it("a team that nobody runs is there after the check, and gone after the deletion", async () => {
  await using bench = await changesBench({}, { repository: false });
  await check(bench);
  expect(await names(bench)).toEqual(["crew"]);
  expect(await deletion(bench)).toBeNull();
  expect(await names(bench)).toEqual([]);
});
