import { chmod, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import type { Store } from "../../../../src/store/store.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench, type Member } from "../../../support/changesBench.ts";
import { closedFiles } from "../../../support/closedFiles.ts";
import { eventually } from "../../../support/eventually.ts";
import { asPlainUser } from "../../../support/plainUser.ts";
import { treeOf } from "../../../support/treeOf.ts";

const changesOf = (store: Store) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

/** `name` of each file of each recorded change, and whether it is kept before and after it. */
async function told(bench: ChangesBench): Promise<string[]> {
  const files = (await bench.records()).flatMap((record) => (record.kind === "change" ? record.files : []));
  return files.map(
    ({ path: file, before, after }) =>
      `${path.relative(bench.cwd, file)} ${before?.kept ?? "none"}→${after?.kept ?? "none"}`,
  );
}

/** Runs a command that changes `a.txt`, and does something before it ends. */
async function during(bench: ChangesBench, member: Member, what: () => void): Promise<void> {
  const command = "touch begun; until [ -e go ]; do sleep 0.01; done; rm go begun; date +%N >> a.txt";
  const running = member("Bash", { command });
  await eventually("the command", () => readFile(path.join(bench.cwd, "begun")).catch(() => undefined));
  what();
  await bench.write("go", "");
  await running;
}

const FILES = { "a.txt": "a\n", "closed.txt": "closed\n", "d/b.txt": "b\n" };

describe.each([{ repository: true }, { repository: false }])("files that cannot be read (%o)", (place) => {
  it("keep nothing else from being recorded, and undone", async () => {
    await using bench = await changesBench(FILES, place);
    const { store, record } = await closedFiles(bench, ["closed.txt"]);
    const ann = bench.member("ann", { process: record });
    await ann("Bash", { command: "echo ann > a.txt; echo new > n.txt" });
    expect((await told(bench)).sort()).toEqual(["a.txt true→true", "n.txt none→true"]);
    const [start] = await bench.records();
    expect(start).toMatchObject({ kind: "start", commit: place.repository ? { ref: expect.anything() } : null });
    expect((await bench.records()).at(-1)).toMatchObject({ kind: "ended", also: [] });
    const changes = changesOf(store);
    const plan = await changes.plan("ann");
    expect(plan).toMatchObject({ refused: [], unrecorded: place.repository ? "git" : "folder" });
    expect((await changes.undo(plan)).left).toEqual([]);
    expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("a\n");
  });

  it("are noticed where a command changes them, and stay", async () => {
    await using bench = await changesBench(FILES, place);
    const { store, record } = await closedFiles(bench, ["closed.txt"]);
    await bench.member("ann", { process: record })("Bash", { command: "echo ann >> closed.txt; echo ann > a.txt" });
    expect((await told(bench)).sort()).toEqual(["a.txt true→true", "closed.txt false→false"]);
    const plan = await changesOf(store).plan("ann");
    expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(["a.txt"]);
    expect(plan.refused).toEqual([{ path: path.join(bench.cwd, "closed.txt"), why: { kind: "not_kept" } }]);
  });

  it("are not changed by a command during which they can be read again, or not any more", async () => {
    await using bench = await changesBench(FILES, place);
    const { record, closed } = await closedFiles(bench, []);
    const ann = bench.member("ann", { process: record });
    closed.add("closed.txt");
    await during(bench, ann, () => closed.clear());
    await during(bench, ann, () => void closed.add("closed.txt"));
    expect(await told(bench)).toEqual(["a.txt true→true", "a.txt true→true"]);
  });

  it("count as there, where a folder on their way is closed, and keep no plan from being made", async () => {
    await using bench = await changesBench(FILES, place);
    const { store, record, outOfReach } = await closedFiles(bench, []);
    const ann = bench.member("ann", { process: record });
    await during(bench, ann, () => void outOfReach.add("d/b.txt"));
    await ann("Bash", { command: "echo more > a.txt" });
    expect((await told(bench)).sort()).toEqual(["a.txt true→true", "a.txt true→true", "d/b.txt true→false"]);
    const plan = await changesOf(store).plan("ann");
    expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(["a.txt"]);
    expect(plan.refused).toEqual([{ path: path.join(bench.cwd, "d/b.txt"), why: { kind: "not_kept" } }]);
  });

  it("are found as they were, where the folder is open again", async () => {
    await using bench = await changesBench(FILES, place);
    const { store, record, outOfReach } = await closedFiles(bench, []);
    const ann = bench.member("ann", { process: record });
    await during(bench, ann, () => void outOfReach.add("d/b.txt"));
    await during(bench, ann, () => outOfReach.clear());
    const plan = await changesOf(store).plan("ann");
    expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(["a.txt"]);
    expect(plan.refused).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32").each([{ repository: true }, { repository: false }])(
  "files in a folder that was closed (%o)",
  (place) => {
    it("are not those of a command that opens it: an undo leaves them", async () => {
      await asPlainUser(async () => {
        await using bench = await changesBench(FILES, place);
        await bench.write("own/letter.txt", "the person's\n");
        await chmod(path.join(bench.cwd, "own"), 0o000);
        const command = "chmod 755 own; echo ann > a.txt; echo new > n.txt";
        await bench.member("ann")("Bash", { command });
        expect((await told(bench)).sort()).toEqual(["a.txt true→true", "n.txt none→true"]);
        const changes = changesOf(bench.store);
        expect((await changes.undo(await changes.plan("ann"))).left).toEqual([]);
        expect(await readFile(path.join(bench.cwd, "own/letter.txt"), "utf8")).toBe("the person's\n");
      });
    });
  },
);

it.each([
  { what: "cannot be read", hashes: 2 }, // it fails, and is asked for the rest
  { what: "went meanwhile", hashes: 2 },
  { what: "is held closed by another program", hashes: 16 }, // by halves: 101, 51, 26, 13, 7, 4, 2
])("a file that $what costs no program for each of the others", async ({ what, hashes }) => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${n}.txt`, `${n}\n`]));
  await using bench = await changesBench({ ...files, "closed.txt": "closed\n" }, { repository: true });
  const { store, record, closed, calls } = await closedFiles(bench, ["closed.txt"]);
  if (what === "is held closed by another program") store.workTree.isReadable = async () => true;
  if (what === "went meanwhile") {
    closed.clear();
    const { stamp } = store.workTree;
    store.workTree.stamp = async (file) => {
      const found = await stamp(file);
      if (path.basename(file) === "closed.txt") await rm(file, { force: true });
      return found;
    };
  }
  await bench.member("ann", { process: record })("Write", { file_path: "n.txt", content: "new\n" });
  const [start] = await bench.records();
  if (start?.kind !== "start" || !start.commit) throw new Error("There is no commit.");
  expect((await bench.git("ls-tree", "--name-only", start.commit.ref)).trim().split("\n")).toHaveLength(200);
  expect(await calls("hash-object")).toBeLessThanOrEqual(hashes);
});

it("names that end in a line's end are files of their own", async () => {
  await using bench = await changesBench({ cr: "twin\n", "cr\r": "cr\n", "lf\n": "lf\n" }, { repository: true });
  const before = await treeOf(bench.cwd);
  await bench.member("ann")("Bash", { command: "echo ann > $'cr\\r'; echo ann > $'lf\\n'" });
  const [start] = await bench.records();
  if (start?.kind !== "start" || !start.commit) throw new Error("There is no commit.");
  expect(await bench.git("show", `${start.commit.ref}:cr\r`)).toBe("cr\n");
  const changes = changesOf(bench.store);
  const plan = await changes.plan("ann");
  expect(plan.files.map(({ path: file }) => path.basename(file))).toEqual(["cr\r", "lf\n"]);
  await changes.undo(plan);
  expect(await treeOf(bench.cwd)).toEqual(before);
});
