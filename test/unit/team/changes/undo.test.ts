import { chmod, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";
import { differences, random, treeOf } from "../../../support/treeOf.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

const relative = ({ cwd }: ChangesBench, files: readonly { path: string }[]) =>
  files.map((file) => path.relative(cwd, file.path)).sort();

describe("undoing what a member changed", () => {
  it("leaves what others and the person changed later, and says whose change it was", async () => {
    await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { repository: true });
    const [ann, bob] = [bench.member("ann"), bench.member("bob")];
    for (const name of ["a", "b", "c"]) {
      await ann("Read", { file_path: `${name}.txt` });
      await ann("Edit", { file_path: `${name}.txt`, old_string: name, new_string: `${name} by ann` });
    }
    await bob("Read", { file_path: "b.txt" });
    await bob("Edit", { file_path: "b.txt", old_string: "ann", new_string: "ann and bob" });
    await writeFile(path.join(bench.cwd, "c.txt"), "the person's\n");
    const changes = changesOf(bench);
    const plan = await changes.plan("ann");
    expect(relative(bench, plan.files)).toEqual(["a.txt"]);
    expect(plan.refused.map(({ path: file, why }) => [path.basename(file), why])).toEqual([
      ["b.txt", { kind: "member", by: "bob" }],
      ["c.txt", { kind: "somebody" }],
    ]);
    expect(relative(bench, (await changes.undo(plan)).done)).toEqual(["a.txt"]);
    const files = await Promise.all(
      ["a", "b", "c"].map((name) => readFile(path.join(bench.cwd, `${name}.txt`), "utf8")),
    );
    expect(files).toEqual(["a\n", "b by ann and bob\n", "the person's\n"]);
    expect((await changes.plan("bob")).files).toHaveLength(1);
    expect((await changes.plan("ann")).files).toEqual([]);
  });

  it("leaves a file that is changed between the question and the answer", async () => {
    await using bench = await changesBench({}, { repository: false });
    await bench.member("ann")("Write", { file_path: "a.txt", content: "ann\n" });
    const changes = changesOf(bench);
    const plan = await changes.plan("ann");
    const file = await bench.write("a.txt", "the person's\n");
    expect(await changes.undo(plan)).toEqual({ done: [], left: [{ path: file, why: { kind: "changed" } }] });
    expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("the person's\n");
  });

  it("goes on behind a file that cannot be written, and tells which", async () => {
    await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" }, { repository: false });
    await bench.member("ann")("Bash", {
      command: "for name in a b c; do echo ann > $name.txt; done; echo ann > d.txt",
    });
    const { store } = bench;
    const write: typeof store.workTree.write = async (file, content) => {
      if (path.basename(file) === "a.txt") throw new Error("read-only");
      await store.workTree.write(file, content);
    };
    const changes = changesOf({ ...bench, store: { ...store, workTree: { ...store.workTree, write } } });
    const plan = await changes.plan("ann");
    const lost = plan.files.find(({ path: file }) => path.basename(file) === "b.txt")?.after;
    await rm(path.join(store.paths.team("crew").dir, "muster/files", lost?.hash ?? ""));
    const { done, left } = await changes.undo(plan);
    expect(relative(bench, done)).toEqual(["c.txt", "d.txt"]);
    expect(left.map(({ path: file, why }) => [path.basename(file), why])).toEqual([
      ["a.txt", { kind: "failed", message: "read-only" }],
      ["b.txt", { kind: "lost" }],
    ]);
    expect(await readFile(path.join(bench.cwd, "c.txt"), "utf8")).toBe("c\n");
    expect(relative(bench, (await changes.plan("ann")).files)).toEqual(["a.txt", "b.txt"]); // it can be tried again
  });

  it("leaves both sides of a renamed file where one has to stay", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: true });
    await bench.member("ann")("Bash", { command: "mv a.txt b.txt" });
    await bench.write("b.txt", "the person's\n");
    const plan = await changesOf(bench).plan("ann");
    expect(plan.files).toEqual([]);
    expect(relative(bench, plan.refused)).toEqual(["a.txt", "b.txt"]);
  });

  it("leaves what an editor holds unsaved changes of, under whatever name, with the other side of its rename", async () => {
    await using bench = await changesBench({ "a.txt": "a\n", "c.txt": "c\n", "d.txt": "d\n" }, { repository: true });
    await bench.member("ann")("Bash", { command: "mv a.txt b.txt; echo ann > c.txt; echo ann > d.txt" });
    const link = path.join(bench.cwd, "..", "link");
    await symlink(bench.cwd, link);
    const plan = await changesOf(bench).plan("ann", [path.join(bench.cwd, "b.txt"), path.join(link, "c.txt")]);
    expect(relative(bench, plan.files)).toEqual(["d.txt"]);
    expect(plan.refused.map(({ path: file, why }) => [path.basename(file), why.kind])).toEqual([
      ["a.txt", "renamed"],
      ["b.txt", "unsaved"],
      ["c.txt", "unsaved"],
    ]);
  });

  it("says of a file that is too large that it is not kept, whether it is new or was changed", async () => {
    await using bench = await changesBench({ "old.bin": "" }, { repository: true });
    await truncate(path.join(bench.cwd, "old.bin"), 21_000_000);
    await bench.member("ann")("Bash", { command: "truncate -s 21000000 new.bin; truncate -s 21000001 old.bin" });
    const plan = await changesOf(bench).plan("ann");
    expect(plan.files).toEqual([]);
    expect(plan.refused.map(({ path: file, why }) => [path.basename(file), why.kind])).toEqual([
      ["new.bin", "not_kept"],
      ["old.bin", "not_kept"],
    ]);
  });

  it("can be done again after the member went on", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: false });
    const ann = bench.member("ann");
    const changes = changesOf(bench);
    for (const text of ["first\n", "second\n"]) {
      await ann("Read", { file_path: "a.txt" });
      await ann("Write", { file_path: "a.txt", content: text });
      await changes.undo(await changes.plan("ann"));
      expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("a\n");
    }
  });

  it("never goes through a folder that became a link", async () => {
    await using bench = await changesBench({ "src/a.txt": "a\n" }, { repository: true });
    const outside = path.join(bench.cwd, "..", "outside");
    await bench.member("ann")("Bash", { command: "echo ann > src/a.txt" });
    await rename(path.join(bench.cwd, "src"), outside);
    await symlink(outside, path.join(bench.cwd, "src"));
    const plan = await changesOf(bench).plan("ann");
    expect(plan.files).toEqual([]);
    expect(await readFile(path.join(outside, "a.txt"), "utf8")).toBe("ann\n");
  });

  it.each([
    { command: "rm .gitignore", keeps: [".env", "build/out.txt", "sub/own.txt"] },
    { command: "git add -f .env", keeps: [".env"] },
    { command: "rm -rf sub/.git", keeps: ["sub/own.txt"] },
    { command: "git rm -q --cached module; rm -rf module/.git", keeps: ["module/own.txt"] },
    { command: "echo a.txt >> .gitignore; git rm -q --cached a.txt", keeps: ["a.txt"] },
    { command: "mkdir -p dir/.git; git -C dir init -q", keeps: ["dir/c.txt"] },
  ])("never removes what git only did not list: $command", async ({ command, keeps }) => {
    const texts = { "a.txt": "a\n", "dir/c.txt": "c\n", ".gitignore": ".env\nbuild/\n" };
    await using bench = await changesBench(texts, { repository: true });
    for (const name of [".env", "build/out.txt", "sub/own.txt", "module/own.txt"])
      await bench.write(name, `the person's ${name}\n`);
    for (const name of ["sub", "module"]) {
      await bench.git("init", "-q", name);
      await bench.git("-C", name, "commit", "-q", "--allow-empty", "-m", "another repository");
    }
    await bench.git("-c", "advice.addEmbeddedRepo=false", "add", "module");
    const before = await treeOf(bench.cwd);
    await bench.member("ann")("Bash", { command: `${command}; echo ann > new.txt` });
    const changes = changesOf(bench);
    const plan = await changes.plan("ann");
    expect(plan.refused).toEqual([]);
    await changes.undo(plan);
    const after = await treeOf(bench.cwd);
    expect(keeps.map((name) => after.get(name))).toEqual(keeps.map((name) => before.get(name)));
    expect(after.has("new.txt")).toBe(false);
    expect(after.get(".gitignore")).toBe(before.get(".gitignore"));
  });

  it("still finds what a command does to a file that it also ignores", async () => {
    await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n" }, { repository: true });
    const command = "printf 'a.txt\nb.txt\n' > .gitignore; git rm -q --cached a.txt b.txt; echo ann > a.txt; rm b.txt";
    await bench.member("ann")("Bash", { command });
    const changes = changesOf(bench);
    expect(relative(bench, (await changes.undo(await changes.plan("ann"))).done)).toEqual([
      ".gitignore",
      "a.txt",
      "b.txt",
    ]);
    expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("a\n");
    expect(await readFile(path.join(bench.cwd, "b.txt"), "utf8")).toBe("b\n");
  });

  it("works on a finished team", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: true });
    const ann = bench.member("ann");
    await ann("Bash", { command: "rm a.txt; echo new > b.txt" });
    const history = await bench.store.teams.delete("crew", { keepHistory: true, now: Date.now() });
    const changes = openTeamChanges(
      bench.store,
      { kind: "finished", folder: history ?? "", leadSession: "s1" },
      systemClock,
    );
    const plan = await changes.plan("ann");
    expect(relative(bench, (await changes.undo(plan)).done)).toEqual(["a.txt", "b.txt"]);
    expect((await treeOf(bench.cwd)).has("b.txt")).toBe(false);
    expect(await readFile(path.join(bench.cwd, "a.txt"), "utf8")).toBe("a\n");
  });
});

const NAMES = ["a.txt", "b.bin", "dir/c.txt", "dir/deep/d.txt", "ü 文.txt", "run.sh"];

/** One edit of a script: by a tool, or by a command. */
async function randomEdit(call: ReturnType<ChangesBench["member"]>, next: () => number, names: readonly string[]) {
  const pick = () => names[Math.floor(next() * names.length)] ?? "a.txt";
  const [one, other, number] = [pick(), pick(), Math.floor(next() * 1e6)];
  const quoted = (name: string) => `'${name}'`;
  switch (Math.floor(next() * 7)) {
    case 0:
      await call("Read", { file_path: one });
      return call("Write", { file_path: one, content: `${number}\r\nline\n` });
    case 1:
      await call("Read", { file_path: one });
      return call("Edit", { file_path: one, old_string: "line", new_string: `line ${number}` });
    case 2:
      return call("Bash", { command: `rm -f ${quoted(one)}` });
    case 3:
      return call("Bash", { command: `mv ${quoted(one)} ${quoted(other)} 2>/dev/null; true` });
    case 4:
      return call("Bash", { command: `printf '\\000\\377${number}' > ${quoted(one)}; chmod 755 ${quoted(one)}` });
    case 5:
      return call("Bash", { command: `ln -sf ${quoted(other)} ${quoted(one)}.link` });
    default:
      return call("Bash", { command: `rm -rf dir; mkdir -p dir/deep; echo ${number} > ${quoted(one)}` });
  }
}

describe("50 random runs of edits", () => {
  it.each(Array.from({ length: 50 }, (_, seed) => seed + 1))(
    "run %i is undone byte for byte, but for every overlap",
    async (seed) => {
      const next = random(seed);
      await using bench = await changesBench(
        { "a.txt": "line\n", "dir/c.txt": "a line\r\nno end" },
        { repository: seed % 2 === 0 },
      );
      await writeFile(path.join(bench.cwd, "b.bin"), Buffer.from([0, 255, 1, 254, seed]));
      await bench.write("run.sh", "line\n");
      await chmod(path.join(bench.cwd, "run.sh"), 0o750);
      await mkdir(path.join(bench.cwd, "dir/deep"), { recursive: true });
      const before = await treeOf(bench.cwd);
      const ann = bench.member("ann");
      const edits = 3 + next() * 4;
      for (let n = 0; n < edits; n += 1) await randomEdit(ann, next, NAMES);
      const changed = await treeOf(bench.cwd);
      const touched = differences(before, changed);
      const other = seed % 5 === 0 ? null : touched[Math.floor(next() * touched.length)];
      if (other) {
        const file = path.join(bench.cwd, other);
        if (next() < 0.5) {
          await rm(file, { force: true });
          await bench.write(other, "the person's\n");
        } else
          await bench.member("bob")("Bash", {
            command: `rm -f '${other}'; mkdir -p "$(dirname '${other}')"; echo bob > '${other}'`,
          });
      }
      const meanwhile = await treeOf(bench.cwd);
      const changes = changesOf(bench);
      const plan = await changes.plan("ann");
      await changes.undo(plan);
      const after = await treeOf(bench.cwd);
      const overlaps = plan.refused.filter(({ why }) => why.kind !== "renamed");
      expect(relative(bench, overlaps)).toEqual(other ? [other] : []);
      const stay = new Set(relative(bench, plan.refused));
      for (const name of new Set([...before.keys(), ...meanwhile.keys(), ...after.keys()]))
        expect([name, after.get(name)]).toEqual([name, (stay.has(name) ? meanwhile : before).get(name)]);
    },
  );
});
