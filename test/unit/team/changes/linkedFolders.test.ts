import { rename, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";
import { treeOf } from "../../../support/treeOf.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

const relative = ({ cwd }: ChangesBench, files: readonly { path: string }[]) =>
  files.map((file) => path.relative(cwd, file.path)).sort();

const FILES = { "d/a.txt": "a of d\n", "d/deep/b.txt": "b of d\n", "e/a.txt": "a of e\n", "c.txt": "c\n" };

describe.each([{ repository: true }, { repository: false }])(
  "a folder that a link takes the place of (%o)",
  (place) => {
    it.each([
      { command: "mv d ../elsewhere; ln -s ../elsewhere d", more: [] },
      { command: "rm -r d; ln -s e d", more: [] },
      { command: "rm -r d; ln -s ../nothing d", more: [] },
      { command: "mv d f; ln -s f d", more: ["f/a.txt", "f/deep/b.txt"] },
    ])("comes back whole: $command", async ({ command, more }) => {
      await using bench = await changesBench(FILES, place);
      await bench.write("d/own.txt", "the person's, which git does not track\n");
      const before = await treeOf(bench.cwd);
      await bench.member("ann")("Bash", { command });
      const changes = changesOf(bench);
      const plan = await changes.plan("ann");
      expect(plan.refused).toEqual([]);
      const own = more.length > 0 ? ["f/own.txt"] : [];
      expect(relative(bench, plan.files)).toEqual(
        ["d", "d/a.txt", "d/deep/b.txt", "d/own.txt", ...more, ...own].sort(),
      );
      expect((await changes.undo(plan)).left).toEqual([]);
      expect(await treeOf(bench.cwd)).toEqual(before);
      expect(await changes.plan("ann")).toMatchObject({ files: [], refused: [] });
    });

    it("stays with its files where the link does, and the question names it", async () => {
      await using bench = await changesBench(FILES, place);
      await bench.member("ann")("Bash", { command: "echo ann > d/a.txt; echo ann > c.txt" });
      await rename(path.join(bench.cwd, "d"), path.join(bench.cwd, "..", "elsewhere"));
      await symlink("../elsewhere", path.join(bench.cwd, "d"));
      const plan = await changesOf(bench).plan("ann");
      expect(relative(bench, plan.files)).toEqual(["c.txt"]);
      const folder = path.join(bench.cwd, "d");
      expect(plan.refused).toEqual([{ path: path.join(folder, "a.txt"), why: { kind: "linked", folder } }]);
    });

    it("keeps its files away where another member changed the link", async () => {
      await using bench = await changesBench(FILES, place);
      await bench.member("ann")("Bash", { command: "rm -r d; ln -s e d" });
      await bench.member("bob")("Bash", { command: "ln -sfn ../elsewhere d" });
      const folder = path.join(bench.cwd, "d");
      expect((await changesOf(bench).plan("ann")).refused).toEqual([
        { path: folder, why: { kind: "member", by: "bob" } },
        ...["a.txt", "deep/b.txt"].map((name) => ({ path: path.join(folder, name), why: { kind: "linked", folder } })),
      ]);
    });

    it("that comes after the question is told of each file behind it", async () => {
      await using bench = await changesBench(FILES, place);
      await bench.member("ann")("Bash", { command: "echo ann > d/a.txt" });
      const changes = changesOf(bench);
      const plan = await changes.plan("ann");
      const folder = path.join(bench.cwd, "d");
      await rm(folder, { recursive: true });
      await symlink("e", folder);
      expect((await changes.undo(plan)).left).toEqual([
        { path: path.join(folder, "a.txt"), why: { kind: "linked", folder } },
      ]);
    });

    it("is undone where the link was there before, and a command put a folder in its place", async () => {
      await using bench = await changesBench(FILES, place);
      await rm(path.join(bench.cwd, "d"), { recursive: true });
      await symlink("e", path.join(bench.cwd, "d")); // git still lists what lay in the folder
      const before = await treeOf(bench.cwd);
      await bench.member("ann")("Bash", { command: "rm d; mkdir d; echo ann > d/a.txt" });
      const changes = changesOf(bench);
      const plan = await changes.plan("ann");
      expect(relative(bench, plan.files)).toEqual(["d", "d/a.txt"]);
      await changes.undo(plan);
      expect(await treeOf(bench.cwd)).toEqual(before);
    });
  },
);
