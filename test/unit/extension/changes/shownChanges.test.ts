import { readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { openShownChanges } from "../../../../src/extension/changes/shownChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

/** A team in which ann and bob changed files, ann's first. */
async function changedProject() {
  const bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { repository: true });
  const [ann, bob] = [bench.member("ann"), bench.member("bob")];
  await ann("Read", { file_path: "a.txt" });
  await ann("Edit", { file_path: "a.txt", old_string: "a", new_string: "ann" });
  await ann("Bash", { command: "mv b.txt moved.txt; printf '\\000' > c.txt" });
  await bob("Read", { file_path: "a.txt" });
  await bob("Edit", { file_path: "a.txt", old_string: "ann", new_string: "bob" });
  return { bench, open: () => openChanges(bench) };
}

async function openChanges({ store }: ChangesBench) {
  const changes = await openShownChanges({ root: store.paths.root, kind: "team", folder: "crew" }, silentLogger);
  onTestFinished(() => changes.dispose());
  return changes;
}

const sides = async (changes: Awaited<ReturnType<typeof openShownChanges>>, member: string | null) => {
  const lines: string[] = [];
  for (const { path: file, before, after } of await changes.toShow(member)) {
    const text = async (side: typeof before) =>
      side.kind === "recorded" ? JSON.stringify((await changes.content(side.state))?.toString() ?? null) : side.kind;
    lines.push(`${changes.nameOf(file)}: ${await text(before)} → ${await text(after)}`);
  }
  return lines;
};

it("shows what all changed, and what a member did, with the file itself where it is what they left", async () => {
  const { bench, open } = await changedProject();
  await using _ = bench;
  const changes = await open();
  expect(changes.authors).toEqual([
    { member: "ann", files: 4 },
    { member: "bob", files: 1 },
  ]);
  expect(changes.files).toBe(4);
  const moved = ['b.txt: "b\\n" → none', 'c.txt: "c\\n" → file', "moved.txt: none → file"];
  expect(await sides(changes, null)).toEqual(['a.txt: "a\\n" → file', ...moved]);
  expect(await sides(changes, "ann")).toEqual(['a.txt: "a\\n" → "ann\\n"', ...moved]);
  expect(await sides(changes, "bob")).toEqual(['a.txt: "ann\\n" → file']);
});

it("shows nothing that the person did since: neither of all members nor of one", async () => {
  const { bench, open } = await changedProject();
  await using _ = bench;
  const changes = await open();
  for (const name of ["a.txt", "b.txt", "c.txt"]) await bench.write(name, "the person's\n");
  await rm(path.join(bench.cwd, "moved.txt"));
  const ended = ['b.txt: "b\\n" → none', 'c.txt: "c\\n" → "\\u0000"'];
  const all = [...ended, 'moved.txt: none → "b\\n"'];
  expect(await sides(changes, null)).toEqual(['a.txt: "a\\n" → "bob\\n"', ...all]);
  expect(await sides(changes, "ann")).toEqual(['a.txt: "a\\n" → "ann\\n"', ...all]);
  expect(await sides(changes, "bob")).toEqual(['a.txt: "ann\\n" → "bob\\n"']);
});

it("shows the file itself where what a member made of it is not kept", async () => {
  const { bench, open } = await changedProject();
  await using _ = bench;
  const large = path.join(bench.cwd, "large.bin");
  await bench.member("ann")("Bash", { command: "truncate -s 21M large.bin" });
  const changes = await open();
  expect(await sides(changes, "ann")).toContain("large.bin: none → file");
  await bench.member("bob")("Bash", { command: "rm large.bin; echo bob > large.bin" });
  const after = await open();
  expect(await sides(after, "ann")).toContain("large.bin: none → null"); // bob's is no more what ann made
  expect(await sides(after, null)).toContain("large.bin: none → file");
  await rm(large);
  expect(await sides(after, null)).toContain('large.bin: none → "bob\\n"');
});

it("shows a link as where it leads, and not what an editor finds there", async () => {
  await using bench = await changesBench({ "a.txt": "a\n", "folder/b.txt": "b\n" }, { repository: true });
  await bench.member("ann")("Bash", { command: "mv a.txt t.txt; ln -s t.txt a.txt; ln -s folder to; ln -s none gone" });
  await bench.member("ann")("Bash", { command: "truncate -s 21M large.bin" });
  await rm(path.join(bench.cwd, "large.bin"));
  await symlink("t.txt", path.join(bench.cwd, "large.bin"));
  const changes = await openChanges(bench);
  expect(await sides(changes, null)).toEqual([
    'a.txt: "a\\n" → "t.txt"',
    'gone: none → "none"',
    "large.bin: none → null",
    "t.txt: none → file",
    'to: none → "folder"',
  ]);
  expect(await sides(changes, "ann")).toEqual(await sides(changes, null));
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
