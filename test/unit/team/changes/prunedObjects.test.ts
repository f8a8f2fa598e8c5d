import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

const names = (files: readonly { path: string }[]) => files.map((file) => path.basename(file.path)).sort();

const text = ({ cwd }: ChangesBench, name: string) => readFile(path.join(cwd, name), "utf8");

const PRUNE = "git gc -q --prune=now";

it.each(["the same process", "another process"])(
  "a command that prunes git's objects is recorded, and what others recorded goes on from there (%s)",
  async (which) => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: true });
    const process = which === "another process" ? { process: bench.anotherProcess() } : {};
    await bench.member("ann")("Bash", { command: "echo v1 > a.txt" });
    await bench.member("ann", process)("Bash", { command: `echo v2 > a.txt; echo new > n.txt; ${PRUNE}` });
    expect((await bench.records()).at(-1)).toMatchObject({ kind: "ended", also: [] });
    const changes = changesOf(bench);
    const plan = await changes.plan("ann");
    expect(plan.refused).toEqual([]);
    expect(names((await changes.undo(plan)).done)).toEqual(["a.txt", "n.txt"]);
    expect(await text(bench, "a.txt")).toBe("a\n");
  },
);

it("of what is lost by pruning it is told that it is not kept, and no more is lost by it", async () => {
  await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n" }, { repository: true });
  const ann = bench.member("ann");
  await ann("Bash", { command: "true" }); // the team has begun
  for (const name of ["a.txt", "b.txt"]) await bench.write(name, "the person's, not committed\n");
  await new Promise((resolve) => setTimeout(resolve, 2_100)); // what is older is not read again
  await ann("Bash", { command: `echo ann > a.txt; echo new > n.txt; ${PRUNE}` });
  await ann("Bash", { command: "echo ann > b.txt" });
  const changes = changesOf(bench);
  const plan = await changes.plan("ann");
  expect(plan.refused).toEqual([{ path: path.join(bench.cwd, "a.txt"), why: { kind: "not_kept" } }]);
  expect(names((await changes.undo(plan)).done)).toEqual(["b.txt", "n.txt"]);
  expect(await text(bench, "b.txt")).toBe("the person's, not committed\n");
});

it("a command that takes the repository away is told of, and later ones are recorded", async () => {
  await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n" }, { repository: true });
  const ann = bench.member("ann");
  await ann("Bash", { command: "rm -rf .git; echo ann > a.txt" });
  expect((await bench.records()).at(-1)).not.toHaveProperty("also");
  await ann("Bash", { command: "echo ann > b.txt" });
  const changes = changesOf(bench);
  const plan = await changes.plan("ann");
  expect(plan).toMatchObject({ refused: [], unrecorded: "anywhere" });
  expect(names((await changes.undo(plan)).done)).toEqual(["b.txt"]);
  expect(await text(bench, "b.txt")).toBe("b\n");
});
