import { expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { WorkRecord } from "../../../../src/team/changes/workRecord.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

const unrecordedOf = async ({ store }: ChangesBench, member: string) =>
  (await openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock).plan(member))
    .unrecorded;

const at = new Date(0).toISOString();

it.each([
  { repository: true, unrecorded: "git" },
  { repository: false, unrecorded: "folder" },
])("what commands may have changed off the record is told of who ran one (%o)", async ({ repository, unrecorded }) => {
  await using bench = await changesBench({ ".gitignore": "build/\n" }, { repository });
  const { store } = bench;
  for (const name of ["ann", "bob", "cleo", "team-lead"])
    await bench.member(name)("Write", { file_path: `${name}.txt`, content: "new\n" });
  await bench.member("ann")("Bash", { command: "echo ann > more.txt" });
  // a command of which no change is recorded; one that was only asked for
  await store.transcripts.append(
    { team: "crew", agent: "bob" },
    { kind: "tool_start", at, toolUseId: "tu_b", name: "Bash" },
  );
  await store.transcripts.append(
    { team: "crew", agent: "cleo" },
    { kind: "tool_start", at, toolUseId: "tu_c", name: "Write" },
  );
  expect(await unrecordedOf(bench, "ann")).toBe(unrecorded);
  expect(await unrecordedOf(bench, "bob")).toBe(unrecorded);
  expect(await unrecordedOf(bench, "cleo")).toBeNull();
  expect(await unrecordedOf(bench, "team-lead")).toBeNull();
  // the lead ran one before it had the team
  await store.transcripts.append({ leadSession: "s1" }, { kind: "tool_start", at, toolUseId: "tu_l", name: "Bash" });
  expect(await unrecordedOf(bench, "team-lead")).toBe(unrecorded);
  expect(await unrecordedOf(bench, "cleo")).toBeNull();
});

it.each([{ repository: true }, { repository: false }])(
  "a command that was not looked at is told of, whatever else is known (%o)",
  async (place) => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    const { store, cwd } = bench;
    let fails = false;
    const read: typeof store.changes.read = async (...given) => {
      if (fails) throw new Error("The disk is gone.");
      return await store.changes.read(...given);
    };
    const failing = { ...store, changes: { ...store.changes, read } };
    const env = { PATH: process.env["PATH"] ?? "", HOME: cwd };
    const record = new WorkRecord({ store: failing, cwd, env, clock: systemClock, logger: silentLogger });
    const [ann, bob] = [bench.member("ann", { process: record }), bench.member("bob", { process: record })];
    await bob("Bash", { command: "echo bob > b.txt" });
    await ann("Bash", { command: "echo ann > n.txt" });
    fails = true;
    await ann("Bash", { command: "echo ann > a.txt" });
    expect((await bench.records()).at(-1)).not.toHaveProperty("also");
    expect(await unrecordedOf(bench, "ann")).toBe("anywhere");
    expect(await unrecordedOf(bench, "bob")).toBe(place.repository ? "git" : "folder");
    await store.changes.append(bench.owner, { kind: "command", at, member: "bob" }); // its process was killed
    expect(await unrecordedOf(bench, "bob")).toBe("anywhere");
  },
);
