import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { filesBelow } from "../../support/filesBelow.ts";
import { createDemo, openTempStore, type TempStore } from "../../support/tempStore.ts";

/** A team of Claude Code, in which an inbox and a task were cut off, and `config.json` where `config` says so. */
async function makeForeignTeam(root: string, { config = "whole" }: { config?: "whole" | "cut" } = {}): Promise<void> {
  const member = (name: string) => ({ agentId: `${name}@theirs`, name, joinedAt: 1, tmuxPaneId: "", cwd: "/p" });
  const team = { name: "theirs", createdAt: 1, members: [member("team-lead"), member("bob")] };
  const entry = { from: "team-lead", text: "hi", timestamp: "2026-01-01T00:00:00.000Z", read: false };
  const task = { id: "1", subject: "One", description: "", status: "pending", blocks: [], blockedBy: [] };
  const files = {
    "teams/theirs/config.json": JSON.stringify(team, null, 2).slice(0, config === "cut" ? -2 : undefined),
    "teams/theirs/inboxes/bob.json": JSON.stringify([entry, entry], null, 2).slice(0, -30),
    "tasks/theirs/1.json": JSON.stringify(task).slice(0, -1),
    "tasks/theirs/.lock": "",
  };
  await mkdir(join(root, "teams/theirs/inboxes"), { recursive: true });
  await mkdir(join(root, "tasks/theirs"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text);
}

const LOOKS: Record<string, (temp: TempStore) => Promise<unknown>> = {
  "the list of teams": ({ store }) => store.teams.list(),
  "a team's name": ({ store }) => store.teams.resolve("theirs"),
  "its configuration": ({ store }) => store.teams.read("theirs"),
  "a snapshot": ({ store }) => store.snapshots.read("theirs"),
  "its tasks": ({ store }) => store.tasks.list("theirs"),
  "one task": ({ store }) => store.tasks.get("theirs", "1"),
  "an inbox": ({ store }) => store.inboxes.read("theirs", "bob"),
  "who leads": ({ store }) => store.leads.read("theirs"),
  "the doctor": ({ store }) => store.doctor.check(),
  "the doctor of one team": ({ store }) => store.doctor.check("theirs"),
};

for (const config of ["whole", "cut"] as const) {
  for (const [what, look] of Object.entries(LOOKS)) {
    it(`${what} changes nothing in a damaged team of another program (configuration ${config})`, async () => {
      await using temp = await openTempStore();
      await makeForeignTeam(temp.root, { config });
      const before = await filesBelow(temp.root);
      await look(temp);
      await look(temp);
      expect(await filesBelow(temp.root)).toEqual(before);
    });
  }
}

test("what can be read of it is shown, and each damaged file is told of once", async () => {
  await using temp = await openTempStore();
  await makeForeignTeam(temp.root);
  const { graph, inboxes } = await temp.store.snapshots.read("theirs");
  await temp.store.snapshots.read("theirs");
  expect([...graph.tasks.keys()]).toEqual(["1"]);
  expect(inboxes.get("bob")?.entries.map(({ text }) => text)).toEqual(["hi"]);
  const inbox = join(temp.root, "teams/theirs/inboxes/bob.json");
  expect(temp.faults.map(({ file }) => file).sort()).toEqual([join(temp.root, "tasks/theirs/1.json"), inbox]);
  expect(temp.faults.find(({ file }) => file === inbox)?.message).toBe(
    `The inbox of bob is damaged; ${inbox} stays as it is, since its team belongs to another program: end that one, then mend the file by hand.`,
  );
});

test("the doctor says what is damaged there, and how to mend it", async () => {
  await using temp = await openTempStore();
  await makeForeignTeam(temp.root);
  const { faults } = await temp.store.doctor.check("theirs");
  const byHand = (file: string) => `The team belongs to another program: end that one, then mend ${file} by hand.`;
  expect(faults.map(({ message, repair, file }) => [message, repair === byHand(file)])).toEqual([
    ["The file of task #1 is damaged.", true],
    ["The inbox of bob cannot be read.", true],
  ]);
});

test("in a team of our own a look repairs, with a copy of what was there; the doctor does not", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "bob");
  await temp.store.inboxes.send("demo", { from: "team-lead", to: ["bob"], text: "hi" });
  const { inbox, corrupt } = temp.store.paths.team("demo");
  const cut = '[\n  {\n    "from": "a';
  await writeFile(inbox("bob"), cut);
  const before = await filesBelow(temp.root);
  expect((await temp.store.doctor.check("demo")).faults).toMatchObject([
    { message: "The inbox of bob cannot be read." },
  ]);
  expect(await filesBelow(temp.root)).toEqual(before);
  await temp.store.snapshots.read("demo");
  expect(Object.values(await filesBelow(corrupt))).toEqual([cut]);
  expect((await temp.store.doctor.check("demo")).faults).toEqual([]);
});
