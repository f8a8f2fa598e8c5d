import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path, { dirname } from "node:path";
import { expect, it } from "vitest";
import { createTasks, person } from "../../support/taskFiles.ts";
import { createDemo, openTempStore } from "../../support/tempStore.ts";

const DAMAGED = ["", "{", "null", "[]", '{"pid":"x"}', "seven"];

it.each(DAMAGED)(
  "names what leads, how a member is and which ids were used, where their files hold %j",
  async (text) => {
    await using temp = await openTempStore();
    await createDemo(temp.store, "bob");
    await temp.store.tasks.create("demo", { subject: "One" });
    const { lead, presence, highWaterMark } = temp.store.paths.team("demo");
    const files = [highWaterMark, lead, presence("bob")];
    for (const file of files) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const { faults } = await temp.store.doctor.check("demo");
    expect(faults.map(({ file }) => file)).toEqual(files);
    expect(faults.map(({ message }) => message)).toEqual([
      ".highwatermark holds no number.",
      "Who leads the team cannot be read.",
      "The state of bob cannot be read.",
    ]);
    expect(faults[0]?.repair).toBe("Write 1 into it.");
  },
);

it("finds nothing in files that are whole", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "bob");
  await temp.store.leads.acquire("demo", "session");
  await writeFile(temp.store.paths.team("demo").highWaterMark, "12\n");
  expect((await temp.store.doctor.check("demo")).faults).toEqual([]);
});

it.each(["nonsense", '{"id":"2","subject":"two","status":"pending","bl'])(
  "says of a damaged task that it is damaged (%j), and not that others are to forget it",
  async (text) => {
    await using temp = await openTempStore();
    const { store } = temp;
    await createDemo(store, "bob");
    await createTasks(store, "one", "two", "three");
    await store.tasks.update("demo", "3", { addBlockedBy: ["1", "2"] }, person);
    await store.tasks.update("demo", "1", { addBlockedBy: ["2"] }, person);
    const file = store.paths.team("demo").task("2");
    await writeFile(file, text);
    const one = store.paths.team("demo").task("1");
    const raw = JSON.parse(await readFile(one, "utf8"));
    await writeFile(one, JSON.stringify({ ...raw, owner: "bob", status: "in_progress", blocks: ["3", "9"] }));
    const { faults, checked } = await store.doctor.check("demo");
    expect(faults.map(({ message }) => message)).toEqual([
      "The file of task #2 is damaged.",
      "#1 blocks #9, which is gone.",
      ...(text === "nonsense" ? [] : ["#1 is in progress and blocked by #2."]),
    ]);
    expect([faults[0]?.file, checked]).toEqual([file, 4]);
  },
);

it("names a configuration that is damaged, and leaves it; a look puts the last one back, as the doctor says", async () => {
  await using temp = await openTempStore();
  await createDemo(temp.store, "bob");
  const { config } = temp.store.paths.team("demo");
  const whole = await readFile(config, "utf8");
  await writeFile(config, "{");
  const repair = `Mend ${config} by hand, or look at the team: that puts the last whole copy of it in place.`;
  expect((await temp.store.doctor.check("demo")).faults).toMatchObject([{ file: config, repair }]);
  expect(await readFile(config, "utf8")).toBe("{");
  await temp.store.teams.read("demo");
  expect(await readFile(config, "utf8")).toBe(whole);
});

it("names each file that cannot be read, and checks all others", async () => {
  await using temp = await openTempStore();
  const { store } = temp;
  await createDemo(store, "alice", "bob");
  await store.tasks.create("demo", { subject: "One" });
  const paths = store.paths.team("demo");
  const { config, lead, inboxes, transcripts } = paths;
  const unreadable = [path.join(inboxes, "alice.json"), lead, path.join(transcripts, "alice.jsonl")];
  for (const file of unreadable) await mkdir(file, { recursive: true }); // nobody can read a folder as a file
  for (const file of [path.join(inboxes, "bob.json"), path.join(transcripts, "bob.jsonl")])
    await writeFile(file, "nonsense\n");
  const { faults, checked } = await store.doctor.check("demo");
  expect(faults.map(({ file }) => path.basename(file)).sort()).toEqual(
    [...unreadable.map((file) => path.basename(file)), "bob.json", "bob.jsonl"].sort(),
  );
  for (const file of unreadable) {
    const { message, repair } = faults.find((fault) => fault.file === file) ?? {};
    expect(message).toBe(
      `${path.basename(file)} was not checked: ${file} is a folder where a file should be; move it away.`,
    );
    expect(repair).toBe("");
  }
  expect(checked).toBeGreaterThanOrEqual(5);
  await rm(config);
  await mkdir(config);
  expect((await store.doctor.check()).faults).toMatchObject([{ file: config, team: "demo" }]);
});
