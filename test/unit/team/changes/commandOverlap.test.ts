import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { authorsOf, fileHistories, membersByFile } from "../../../../src/team/changes/fileHistory.ts";
import { personsPart } from "../../../../src/team/changes/personSaves.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";
import { stagedCommand } from "../../../support/stagedCommand.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

/** What undoing a member's changes would do: the files that it undoes, and why others stay. */
async function planOf(bench: ChangesBench, member: string) {
  const { files, refused } = await changesOf(bench).plan(member);
  return {
    files: files.map((file) => path.relative(bench.cwd, file.path)),
    refused: Object.fromEntries(refused.map((file) => [path.relative(bench.cwd, file.path), file.why])),
  };
}

/** Who is known to have changed each file. */
async function editorsOf(bench: ChangesBench) {
  const records = await bench.records();
  const found = membersByFile(fileHistories(records), personsPart(records));
  return Object.fromEntries([...found].map(([file, members]) => [path.relative(bench.cwd, file), members]));
}

const text = (bench: ChangesBench, name: string) => readFile(path.join(bench.cwd, name), "utf8");

const FILES = { "a.txt": "original\n", "b.txt": "b\n" };

describe.each([{ repository: true }, { repository: false }])("commands of two members at once (%o)", (place) => {
  it("whose half-finished file another command's end finds is nobody's for sure, and stays", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = await stagedCommand(bench, bench.member("ann"));
    const bob = await stagedCommand(bench, bench.member("bob"));
    await ann.do("echo half > a.txt");
    await bob.end();
    const both = { kind: "commands", by: ["bob", "ann"] };
    expect(await planOf(bench, "ann")).toEqual({ files: [], refused: { "a.txt": both } }); // ann's command still runs
    await ann.do("echo whole > a.txt");
    await ann.end();
    for (const name of ["ann", "bob"])
      expect(await planOf(bench, name)).toEqual({ files: [], refused: { "a.txt": both } });
    expect(await editorsOf(bench)).toEqual({ "a.txt": [] });
  });

  it("what one has finished is not the other's that ends first", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = await stagedCommand(bench, bench.member("ann"));
    const bob = await stagedCommand(bench, bench.member("bob"));
    await bob.do("echo bob > b.txt");
    await ann.end();
    await bob.end();
    const refused = { "b.txt": { kind: "commands", by: ["ann", "bob"] } };
    expect(await planOf(bench, "ann")).toEqual({ files: [], refused });
    expect(await planOf(bench, "bob")).toEqual({ files: [], refused });
    const records = await bench.records();
    expect(authorsOf(fileHistories(records), records)).toEqual(["ann", "bob"]);
  });

  it("is told across processes", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = await stagedCommand(bench, bench.member("ann"));
    const far = await stagedCommand(bench, bench.member("far", { process: bench.anotherProcess() }));
    await far.do("echo far > a.txt");
    await far.end();
    await ann.end();
    expect((await planOf(bench, "far")).refused).toEqual({ "a.txt": { kind: "commands", by: ["far", "ann"] } });
  });

  it("a short one during which a file stayed as it was has no part in it", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = await stagedCommand(bench, bench.member("ann"));
    await ann.do("echo ann > a.txt");
    await bench.member("bob")("Bash", { command: "cat a.txt; echo bob > c.txt" });
    await ann.do("echo ann again > a.txt");
    await ann.end();
    expect(await planOf(bench, "ann")).toMatchObject({ files: ["a.txt"], refused: { "c.txt": { kind: "commands" } } });
    await changesOf(bench).undo(await changesOf(bench).plan("ann"));
    expect(await text(bench, "a.txt")).toBe("original\n");
  });
});

describe.each([{ repository: true }, { repository: false }])(
  "an edit while another member's command runs (%o)",
  (place) => {
    const edit = async (bench: ChangesBench, name: string, content: string) => {
      const bob = bench.member("bob");
      await bob("Read", { file_path: name });
      expect(await bob("Write", { file_path: name, content })).not.toMatch(/^error/);
    };

    it("is its author's alone, and is undone", async () => {
      await using bench = await changesBench(FILES, place);
      const ann = await stagedCommand(bench, bench.member("ann"));
      await edit(bench, "b.txt", "bob\n");
      await edit(bench, "new.txt", "bob\n");
      await ann.do("echo ann > a.txt");
      await ann.end();
      expect(await planOf(bench, "ann")).toEqual({ files: ["a.txt"], refused: {} });
      expect(await planOf(bench, "bob")).toEqual({ files: ["b.txt", "new.txt"], refused: {} });
      expect(await editorsOf(bench)).toEqual({ "a.txt": ["ann"], "b.txt": ["bob"], "new.txt": ["bob"] });
    });

    it("lies behind what the command did to the file before, though that is told later", async () => {
      await using bench = await changesBench(FILES, place);
      const ann = await stagedCommand(bench, bench.member("ann"));
      await ann.do("echo ann > a.txt; chmod 700 a.txt");
      await edit(bench, "a.txt", "bob\n");
      await ann.end();
      expect(await planOf(bench, "ann")).toEqual({ files: [], refused: { "a.txt": { kind: "member", by: "bob" } } });
      expect(await planOf(bench, "bob")).toEqual({ files: ["a.txt"], refused: {} });
      await changesOf(bench).undo(await changesOf(bench).plan("bob"));
      expect(await planOf(bench, "ann")).toEqual({ files: ["a.txt"], refused: {} });
      await changesOf(bench).undo(await changesOf(bench).plan("ann"));
      expect(await text(bench, "a.txt")).toBe("original\n");
    });

    it("is not lost where the command takes it back", async () => {
      await using bench = await changesBench(FILES, place);
      const ann = await stagedCommand(bench, bench.member("ann"));
      await edit(bench, "a.txt", "bob\n");
      await edit(bench, "new.txt", "bob\n");
      await ann.do("echo original > a.txt; rm new.txt");
      await ann.end();
      expect((await planOf(bench, "ann")).files).toEqual(["a.txt", "new.txt"]);
      await changesOf(bench).undo(await changesOf(bench).plan("ann"));
      expect([await text(bench, "a.txt"), await text(bench, "new.txt")]).toEqual(["bob\n", "bob\n"]);
    });

    it("that fails is no change that a command's goes on from", async () => {
      await using bench = await changesBench(FILES, place);
      const ann = await stagedCommand(bench, bench.member("ann"));
      const bob = bench.member("bob", { meanwhile: () => ann.do("echo ann > a.txt").then(() => ann.end()) });
      await bob("Read", { file_path: "a.txt" });
      expect(await bob("Write", { file_path: "a.txt", content: "bob\n" })).toMatch(/^error/);
      expect(await planOf(bench, "ann")).toEqual({ files: ["a.txt"], refused: {} });
      await changesOf(bench).undo(await changesOf(bench).plan("ann"));
      expect(await text(bench, "a.txt")).toBe("original\n");
    });
  },
);

it("what is undone while a command runs is not that command's", async () => {
  await using bench = await changesBench(FILES, { repository: false });
  await bench.member("bob")("Bash", { command: "echo bob > b.txt" });
  const ann = await stagedCommand(bench, bench.member("ann"));
  await changesOf(bench).undo(await changesOf(bench).plan("bob"));
  await ann.end();
  expect(await planOf(bench, "ann")).toEqual({ files: [], refused: {} });
  expect(await planOf(bench, "bob")).toEqual({ files: [], refused: {} });
});
