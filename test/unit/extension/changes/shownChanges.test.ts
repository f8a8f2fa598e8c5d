import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { openShownChanges } from "../../../../src/extension/changes/shownChanges.ts";
import { changesBench } from "../../../support/changesBench.ts";

/** A team in which ann and bob changed files, ann's first. */
async function changedProject() {
  const bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { repository: true });
  const [ann, bob] = [bench.member("ann"), bench.member("bob")];
  await ann("Read", { file_path: "a.txt" });
  await ann("Edit", { file_path: "a.txt", old_string: "a", new_string: "ann" });
  await ann("Bash", { command: "mv b.txt moved.txt; printf '\\000' > c.txt" });
  await bob("Read", { file_path: "a.txt" });
  await bob("Edit", { file_path: "a.txt", old_string: "ann", new_string: "bob" });
  const open = async () => {
    const changes = await openShownChanges(
      { root: bench.store.paths.root, kind: "team", folder: "crew" },
      silentLogger,
    );
    onTestFinished(() => changes.dispose());
    return changes;
  };
  return { bench, open };
}

const sides = async (changes: Awaited<ReturnType<typeof openShownChanges>>, member: string | null) => {
  const lines: string[] = [];
  for (const { name, before, after } of await changes.toShow(member)) {
    const text = async (side: typeof before) => (side.kind === "recorded" ? changes.text(side.state) : side.kind);
    lines.push(`${name}: ${JSON.stringify(await text(before))} → ${JSON.stringify(await text(after))}`);
  }
  return lines;
};

it("shows all changes against the files as they are, and a member's as they were made", async () => {
  const { bench, open } = await changedProject();
  await using _ = bench;
  const changes = await open();
  expect(changes.authors).toEqual([
    { member: "ann", files: 4 },
    { member: "bob", files: 1 },
  ]);
  expect(changes.files).toBe(4);
  const moved = ['b.txt: {"text":"b\\n"} → "none"', 'c.txt: {"text":"c\\n"} → "file"', 'moved.txt: "none" → "file"'];
  expect(await sides(changes, null)).toEqual(['a.txt: {"text":"a\\n"} → "file"', ...moved]);
  expect(await sides(changes, "ann")).toEqual(['a.txt: {"text":"a\\n"} → {"text":"ann\\n"}', ...moved]);
  expect(await sides(changes, "bob")).toEqual(['a.txt: {"text":"ann\\n"} → "file"']);
  await bench.write("c.txt", "the person's\n");
  expect(await sides(changes, "ann")).toContain('c.txt: {"text":"c\\n"} → {"binary":1}');
});

it("tells no changes that were undone, and those of a team that has ended", async () => {
  const { bench, open } = await changedProject();
  await using _ = bench;
  const before = await open();
  await before.undo(await before.plan("bob"));
  expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("ann\n");
  const history = await bench.store.teams.delete("crew", { keepHistory: true, now: Date.now() });
  const address = { root: bench.store.paths.root, kind: "finished" as const, folder: history ?? "" };
  const after = await openShownChanges(address, silentLogger);
  onTestFinished(() => after.dispose());
  expect(after.authors).toEqual([{ member: "ann", files: 4 }]);
});
