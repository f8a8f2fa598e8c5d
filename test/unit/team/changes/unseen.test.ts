import { expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

const unseenOf = async ({ store }: ChangesBench, member: string) =>
  (await openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock).plan(member)).unseen;

const at = new Date(0).toISOString();

it.each([
  { repository: true, unseen: "git" },
  { repository: false, unseen: "folder" },
])("what commands may have changed unseen is told of who ran one (%o)", async ({ repository, unseen }) => {
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
  expect(await unseenOf(bench, "ann")).toBe(unseen);
  expect(await unseenOf(bench, "bob")).toBe(unseen);
  expect(await unseenOf(bench, "cleo")).toBeNull();
  expect(await unseenOf(bench, "team-lead")).toBeNull();
  // the lead ran one before it had the team
  await store.transcripts.append({ leadSession: "s1" }, { kind: "tool_start", at, toolUseId: "tu_l", name: "Bash" });
  expect(await unseenOf(bench, "team-lead")).toBe(unseen);
  expect(await unseenOf(bench, "cleo")).toBeNull();
});
