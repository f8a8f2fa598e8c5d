import { chmod, lstat, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import type { FileState } from "../../../../src/protocol/changes.ts";
import { sameState } from "../../../../src/protocol/changes.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

/** What undoing ann's changes would do: the files that it undoes, and why others stay. */
async function planOf(bench: ChangesBench) {
  const { files, refused } = await changesOf(bench).plan("ann");
  const name = (file: { path: string }) => path.relative(bench.cwd, file.path);
  return { files: files.map(name), refused: refused.map((file) => [name(file), file.why.kind]) };
}

const modeOf = async ({ cwd }: ChangesBench, name: string) => (await lstat(path.join(cwd, name))).mode & 0o7777;

describe.each([{ repository: true }, { repository: false }])("permissions (%o)", (place) => {
  it("that a member's command changes are undone, alone and with the bytes", async () => {
    await using bench = await changesBench({ "key.pem": "key\n", "b.txt": "b\n" }, place);
    await chmod(path.join(bench.cwd, "key.pem"), 0o600);
    await chmod(path.join(bench.cwd, "b.txt"), 0o640);
    await bench.member("ann")("Bash", { command: "chmod 666 key.pem; echo ann > b.txt; chmod 1604 b.txt" });
    expect(await planOf(bench)).toEqual({ files: ["b.txt", "key.pem"], refused: [] });
    await changesOf(bench).undo(await changesOf(bench).plan("ann"));
    expect([await modeOf(bench, "key.pem"), await modeOf(bench, "b.txt")]).toEqual([0o600, 0o640]);
    expect(await readFile(path.join(bench.cwd, "b.txt"), "utf8")).toBe("b\n");
    expect(await planOf(bench)).toEqual({ files: [], refused: [] });
  });

  it("that the person changes later keep the file, whether it was edited or is new", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    const ann = bench.member("ann");
    await ann("Read", { file_path: "a.txt" });
    await ann("Edit", { file_path: "a.txt", old_string: "a", new_string: "ann" });
    await ann("Write", { file_path: "new.txt", content: "ann\n" });
    await ann("Bash", { command: "echo ann > made.txt" });
    for (const name of ["a.txt", "new.txt", "made.txt"]) await chmod(path.join(bench.cwd, name), 0o600);
    const kept = ["a.txt", "made.txt", "new.txt"].map((name) => [name, "somebody"]);
    expect(await planOf(bench)).toEqual({ files: [], refused: kept });
  });

  it("of a new file are those that it was given, whatever the umask", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, place);
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    const ann = bench.member("ann");
    await ann("Write", { file_path: "new.txt", content: "ann\n" });
    await ann("Read", { file_path: "new.txt" });
    await ann("Edit", { file_path: "new.txt", old_string: "ann", new_string: "ann again" });
    await ann("Write", { file_path: "other.txt", content: "ann\n" });
    expect(await modeOf(bench, "other.txt")).toBe(0o640);
    expect(await planOf(bench)).toEqual({ files: ["new.txt", "other.txt"], refused: [] });
  });
});

it("of a new file of which it was never told what it was given are compared as far as they can be known", async () => {
  await using bench = await changesBench({}, { repository: false });
  const hash = await bench.store.changes.keep(bench.owner, Buffer.from("ann\n"));
  for (const name of ["one.txt", "two.txt"]) {
    const file = path.join(bench.cwd, name);
    await writeFile(file, "ann\n");
    await chmod(file, name === "one.txt" ? 0o664 : 0o755);
    const call = { member: "ann", tool: "Write" as const, toolUseId: name };
    const files = [{ path: file, before: null, after: { hash, mode: 0o644, kept: true } }];
    await bench.store.changes.append(bench.owner, {
      kind: "change",
      at: new Date().toISOString(),
      id: name,
      ...call,
      files,
    });
  }
  expect(await planOf(bench)).toEqual({ files: ["one.txt"], refused: [["two.txt", "somebody"]] });
});

it("of links do not count", () => {
  const link = (mode: number): FileState => ({ hash: "0".repeat(64), mode, link: true, kept: true });
  expect(sameState(link(0o777), link(0o755))).toBe(true);
});
