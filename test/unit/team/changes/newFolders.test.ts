import { lstat, mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { nodeWorkTree } from "../../../../src/store/workTree.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

/** Everything below the project's folder, folders with a `/` at their end. */
async function names({ cwd }: ChangesBench): Promise<string[]> {
  const all = await readdir(cwd, { recursive: true, withFileTypes: true });
  return all
    .map((entry) => path.join(path.relative(cwd, entry.parentPath), entry.name) + (entry.isDirectory() ? "/" : ""))
    .filter((name) => !name.startsWith(".git/"))
    .sort();
}

/** As the person does it: well after the change, as a file system's clock counts too. */
async function undo({ store }: ChangesBench, member: string): Promise<void> {
  await later();
  const changes = openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);
  await changes.undo(await changes.plan(member));
}

/** What was made before this is older than what is made next, by any clock. */
const later = () => new Promise((resolve) => setTimeout(resolve, 60));

describe.each([{ repository: true }, { repository: false }])("undoing files in new folders (%o)", (place) => {
  it("removes the folders that were new, however they were made", async () => {
    await using bench = await changesBench({ "src/a.txt": "a\n" }, place);
    const before = await names(bench);
    const ann = bench.member("ann");
    await ann("Write", { file_path: "new dir/子/n.txt", content: "new\n" });
    await ann("Bash", { command: "mkdir -p src/deep/er; echo ann > src/deep/er/b.txt" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(before);
  });

  it("leaves a folder that was there, even without a file", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    await mkdir(path.join(bench.cwd, "logs/old"), { recursive: true });
    await later();
    await bench.member("ann")("Write", { file_path: "logs/old/new/n.txt", content: "new\n" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(["a.txt", "logs/", "logs/old/"]);
  });

  it("removes a folder that a lead made before it had its team, though a reload parted them", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    const asked = bench.anotherProcess(); // the lead, before the reload: its record is kept under its session
    await asked.begin({ leadSession: "s1" });
    await later();
    await mkdir(path.join(bench.cwd, "new/empty"), { recursive: true });
    await later();
    await bench.member("ann")("Write", { file_path: "new/empty/n.txt", content: "new\n" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(["a.txt"]);
  });

  it("leaves a folder that holds anything: the person's, another member's, an empty one", async () => {
    await using bench = await changesBench({ ".gitignore": "*.log\n" }, place);
    const ann = bench.member("ann");
    for (const name of ["one", "two", "three", "four"])
      await ann("Write", { file_path: `${name}/n.txt`, content: "new\n" });
    await bench.write("one/own.log", "the person's, and ignored\n");
    await bench.member("bob")("Write", { file_path: "two/b.txt", content: "bob\n" });
    await mkdir(path.join(bench.cwd, "three/empty"));
    await undo(bench, "ann");
    expect((await names(bench)).filter((name) => name !== ".gitignore")).toEqual(
      ["one/", "one/own.log", "three/", "three/empty/", "two/", "two/b.txt"].sort(),
    );
  });

  it("leaves a folder in which a file was, though a command made it anew and the file stays away", async () => {
    await using bench = await changesBench({ "dir/a.txt": "a\n" }, place);
    await bench.member("ann")("Bash", { command: "rm -r dir; mkdir dir; echo ann > dir/n.txt" });
    await bench.member("bob")("Bash", { command: "echo bob > dir/a.txt" });
    await bench.member("bob")("Bash", { command: "rm dir/a.txt" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(["dir/"]);
  });

  it("leaves a new folder, with its permissions, in which a file comes back", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    await bench.member("bob")("Bash", { command: "mkdir -m 700 new; echo bob > new/b.txt" });
    await bench.member("ann")("Bash", { command: "rm new/b.txt; echo ann > new/n.txt" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(["a.txt", "new/", "new/b.txt"]);
    expect((await lstat(path.join(bench.cwd, "new"))).mode & 0o777).toBe(0o700);
  });

  it("makes room for a file where several folders stand", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    await bench.member("ann")("Bash", { command: "rm a.txt; mkdir -p a.txt/b; echo ann > a.txt/b/c.txt" });
    await undo(bench, "ann");
    expect(await names(bench)).toEqual(["a.txt"]);
  });

  it("never takes a folder outside away, nor one behind a link", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    const outside = path.join(bench.cwd, "..", "outside");
    const ann = bench.member("ann");
    await ann("Write", { file_path: path.join(outside, "n.txt"), content: "new\n" });
    await ann("Write", { file_path: "new/n.txt", content: "new\n" });
    await rename(path.join(bench.cwd, "new"), path.join(outside, "moved"));
    await symlink(path.join(outside, "moved"), path.join(bench.cwd, "new"));
    await undo(bench, "ann");
    expect((await readdir(outside, { recursive: true })).sort()).toEqual(["moved", "moved/n.txt"]);
    expect(await names(bench)).toEqual(["a.txt", "new"]);
  });
});

describe("a folder of the work tree", () => {
  it("is removed only where it is one, and empty", async () => {
    await using bench = await changesBench({ "full/a.txt": "a\n" }, { repository: false });
    const at = (name: string) => path.join(bench.cwd, name);
    await mkdir(at("empty"));
    await symlink(at("empty"), at("link"));
    for (const name of ["full", "full/a.txt", "link", "none"]) await nodeWorkTree.removeEmptyFolder(at(name));
    expect(await names(bench)).toEqual(["empty/", "full/", "full/a.txt", "link"]);
    await nodeWorkTree.removeEmptyFolder(at("empty"));
    expect(await names(bench)).toEqual(["full/", "full/a.txt", "link"]);
  });

  it("tells when it was made, and nothing of what is no folder", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: false });
    const folder = path.join(bench.cwd, "made");
    await mkdir(folder);
    await later();
    const changed = Date.now();
    await writeFile(path.join(folder, "n.txt"), "");
    expect(await nodeWorkTree.folderMade(folder)).toBeLessThan(changed);
    await symlink(folder, path.join(bench.cwd, "link"));
    for (const name of ["a.txt", "link", "none"])
      expect(await nodeWorkTree.folderMade(path.join(bench.cwd, name))).toBeNull();
  });
});
