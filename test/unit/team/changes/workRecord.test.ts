import { execFile } from "node:child_process";
import { chmod, mkdir, open, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { deleteStoredTeam } from "../../../../src/extension/teams/storedTeams.ts";
import type { ChangeRecord } from "../../../../src/protocol/changes.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { WorkRecord } from "../../../../src/team/changes/workRecord.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";
import { openTeamHost } from "../../../support/teamHost.ts";
import { calls, script, team } from "../../../support/teamScripts.ts";

const FILES = { "a.txt": "one\n", "src/b.txt": "two\n", ".gitignore": "build/\n" };

const changesOf = (records: readonly ChangeRecord[]) =>
  records.flatMap((record) => (record.kind === "change" ? [record] : []));

/** `member tool path before→after` of every step, with the texts that are kept. */
async function told(bench: ChangesBench): Promise<string[]> {
  const lines: string[] = [];
  for (const { member, tool, files } of changesOf(await bench.records())) {
    for (const { path: file, before, after } of files) {
      const text = async (hash: string | undefined) =>
        hash === undefined
          ? "none"
          : JSON.stringify((await bench.store.changes.content(bench.owner, hash))?.toString());
      const name = path.relative(bench.cwd, file);
      lines.push(`${member} ${tool} ${name} ${await text(before?.hash)}→${await text(after?.hash)}`);
    }
  }
  return lines;
}

describe("the work tree before a team's first edit", () => {
  it("is a commit outside of any branch; index, HEAD, branches, stash and status stay", async () => {
    await using bench = await changesBench(FILES, { repository: true });
    await bench.write("a.txt", "stashed\n");
    await bench.git("stash");
    await bench.write("a.txt", "staged\n");
    await bench.git("add", "a.txt");
    await bench.write("a.txt", "in the work tree\r\n");
    await bench.write("new file.txt", "not tracked\n");
    await bench.write("build/out.txt", "ignored\n");
    await bench.write("run.sh", "#!/bin/sh\n");
    await chmod(path.join(bench.cwd, "run.sh"), 0o755);
    await symlink("a.txt", path.join(bench.cwd, "link"));
    await bench.git("config", "core.autocrlf", "input"); // what is recorded is what lies there, byte for byte
    const state = async () => [
      await readFile(path.join(bench.cwd, ".git/index")),
      await readFile(path.join(bench.cwd, ".git/HEAD"), "utf8"),
      await bench.git("for-each-ref", "refs/heads", "refs/stash"),
      await bench.git("stash", "list"),
      await bench.git("--no-optional-locks", "status", "--porcelain"),
    ];
    const before = await state();
    await bench.member("team-lead")("Write", { file_path: "c.txt", content: "first edit\n" });
    await rm(path.join(bench.cwd, "c.txt"));
    expect(await state()).toEqual(before);
    const [start] = await bench.records();
    if (start?.kind !== "start" || !start.commit) throw new Error("There is no commit.");
    expect(start.commit.ref).toMatch(/^refs\/muster\/crew-/);
    expect((await bench.git("ls-tree", "-r", "--name-only", start.commit.ref)).trim().split("\n").sort()).toEqual(
      [".gitignore", "a.txt", "link", "new file.txt", "run.sh", "src/b.txt"].sort(),
    );
    expect(await bench.git("show", `${start.commit.ref}:a.txt`)).toBe("in the work tree\r\n");
    expect(await bench.git("show", `${start.commit.ref}:link`)).toBe("a.txt");
    expect(await bench.git("ls-tree", start.commit.ref, "run.sh")).toMatch(/^100755 /);
    expect(await bench.git("branch", "--contains", start.commit.id)).toBe("");
  });

  it("is recorded once, whoever edits first and in whatever process", async () => {
    await using bench = await changesBench(FILES, { repository: true });
    const [here, there] = [bench.member("ann"), bench.member("bob", { process: bench.anotherProcess() })];
    await here("Write", { file_path: "x.txt", content: "x" });
    await there("Write", { file_path: "y.txt", content: "y" });
    expect((await bench.records()).map(({ kind }) => kind)).toEqual(["start", "change", "made", "change", "made"]);
  });

  it.each([true, false])(
    "goes with the team that the person deletes, and no other does (history: %s)",
    async (keepHistory) => {
      await using bench = await changesBench(FILES, { repository: true });
      await bench.git("update-ref", "refs/muster/another-team", "HEAD");
      await bench.member("ann")("Write", { file_path: "x.txt", content: "x" });
      const refs = async () =>
        (await bench.git("for-each-ref", "--format=%(refname)", "refs/muster")).trim().split("\n");
      expect(await refs()).toHaveLength(2);
      const address = { root: bench.store.paths.root, kind: "team", folder: "crew" } as const;
      await deleteStoredTeam(address, { keepHistory, log: silentLogger });
      expect(await refs()).toEqual(["refs/muster/another-team"]);
    },
  );

  it.each([true, false])(
    "stays with the history of a team that its lead deletes (history: %s)",
    async (keepHistory) => {
      const next = () => calls(call("TeamCreate", { team_name: "demo" }));
      const host = await openTeamHost(
        team({ "team-lead": script(next(), calls(call("TeamDelete")), next(), "Done.") }),
        { keepHistory },
      );
      await using _ = host;
      const git = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: host.cwd })).stdout;
      await git("init", "-q");
      host.session.start("Go.");
      await host.rest();
      const first = async () => (await host.store.changes.read({ team: "demo", agent: "team-lead" })).records[0];
      const start = await host.until("the next team's own record", first);
      const refs = (await git("for-each-ref", "--format=%(refname)", "refs/muster")).trim().split("\n");
      expect(refs).toHaveLength(keepHistory ? 2 : 1);
      expect(refs).toContain(start.kind === "start" && start.commit?.ref);
    },
  );

  it.each(["cannot be started", "fails"])("is recorded by the next edit where git %s once", async (how) => {
    await using bench = await changesBench(FILES, { repository: true });
    const { store, cwd } = bench;
    const folder = path.join(cwd, "..", "bin");
    await mkdir(folder);
    const flag = path.join(folder, "failed");
    const fails = `case "$*" in *commit-tree*) [ -e '${flag}' ] || { touch '${flag}'; exit 1; };; esac\n`;
    const real = `PATH='${process.env["PATH"]}' exec git "$@"\n`;
    await writeFile(path.join(folder, "git"), `#!/bin/sh\n${how === "fails" ? fails : ""}${real}`, { mode: 0o755 });
    const env = { PATH: `${folder}${path.delimiter}${process.env["PATH"]}`, HOME: folder };
    const work = new WorkRecord({ store, cwd, env, clock: systemClock, logger: silentLogger });
    const ann = bench.member("ann", { process: work });
    const busy = how === "fails" ? null : await open(path.join(folder, "git"), "r+"); // who writes a program keeps it from running
    await ann("Write", { file_path: "x.txt", content: "x" });
    await busy?.close();
    expect((await bench.records()).map(({ kind }) => kind)).toEqual(["change", "made"]);
    await ann("Write", { file_path: "y.txt", content: "y" });
    const start = (await bench.records()).find(({ kind }) => kind === "start");
    expect(start).toMatchObject({ commit: { ref: expect.stringMatching(/^refs\/muster\//) } });
  });

  it("is recorded in a repository without a commit", async () => {
    await using bench = await changesBench({ "a.txt": "one\n" }, { repository: false });
    await bench.git("init", "-q");
    await bench.member("ann")("Write", { file_path: "x.txt", content: "x" });
    const [start] = await bench.records();
    expect(start).toMatchObject({ kind: "start", commit: { ref: expect.stringMatching(/^refs\/muster\//) } });
  });
});

it("a team that is made again under the name of one that was deleted keeps the files before its changes", async () => {
  await using bench = await changesBench(FILES, { repository: false });
  const { store, cwd } = bench;
  const work = bench.anotherProcess();
  const ann = bench.member("ann", { process: work });
  await new Promise((resolve) => setTimeout(resolve, 2_100)); // what is older is not read again
  await ann("Bash", { command: "true" });
  await store.teams.delete("crew", { keepHistory: false, now: Date.now() });
  work.renew();
  const lead = { leadSessionId: "s1", leadModel: "haiku", leadAgentType: "team-lead" };
  await store.teams.create({ name: "crew", ...lead, cwd, now: Date.now() });
  await ann("Bash", { command: "echo ann > a.txt" });
  const changes = openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);
  const plan = await changes.plan("ann");
  expect(plan.refused).toEqual([]);
  await changes.undo(plan);
  expect(await readFile(path.join(cwd, "a.txt"), "utf8")).toBe("one\n");
});

describe.each([{ repository: true }, { repository: false }])("who changed what (%o)", (place) => {
  it("is kept for each edit, with the file before and after it", async () => {
    await using bench = await changesBench(FILES, place);
    const [ann, bob] = [bench.member("ann"), bench.member("bob")];
    await ann("Read", { file_path: "a.txt" });
    await ann("Edit", { file_path: "a.txt", old_string: "one", new_string: "1" });
    await bob("Write", { file_path: "new/c.txt", content: "c\n" });
    expect(await told(bench)).toEqual(['ann Edit a.txt "one\\n"→"1\\n"', 'bob Write new/c.txt none→"c\\n"']);
  });

  it("holds what a command made, changed, removed and renamed", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = bench.member("ann");
    await ann("Bash", {
      command: "printf 'more\\n' >> a.txt; mv src/b.txt src/c.txt; printf 'x' > 'new one'; cat a.txt",
    });
    await ann("Bash", { command: "rm a.txt; ls" });
    await ann("Bash", { command: "cat src/c.txt" });
    expect((await told(bench)).sort()).toEqual(
      [
        'ann Bash a.txt "one\\n"→"one\\nmore\\n"',
        'ann Bash a.txt "one\\nmore\\n"→none',
        'ann Bash new one none→"x"',
        'ann Bash src/b.txt "two\\n"→none',
        'ann Bash src/c.txt none→"two\\n"',
      ].sort(),
    );
  });

  it("does not give a command what others edit while it runs", async () => {
    await using bench = await changesBench(FILES, place);
    const [ann, bob, far] = [
      bench.member("ann"),
      bench.member("bob"),
      bench.member("far", { process: bench.anotherProcess() }),
    ];
    await bob("Read", { file_path: "src/b.txt" });
    const command = ann("Bash", {
      command: "touch begun; until [ -e go ]; do sleep 0.02; done; rm go; echo 1 > own.txt",
    });
    while (!(await readFile(path.join(bench.cwd, "begun")).catch(() => false))) await new Promise(setImmediate);
    await bob("Edit", { file_path: "src/b.txt", old_string: "two", new_string: "2" });
    await far("Write", { file_path: "far.txt", content: "far\n" });
    await writeFile(path.join(bench.cwd, "go"), "");
    await command;
    expect((await told(bench)).filter((line) => line.startsWith("ann"))).toEqual([
      'ann Bash begun none→""',
      'ann Bash own.txt none→"1\\n"',
    ]);
  });

  it("takes back what was not made", async () => {
    await using bench = await changesBench(FILES, place);
    const ann = bench.member("ann", {
      meanwhile: async () => void (await bench.write("a.txt", "the person's own words\n")),
    });
    await ann("Read", { file_path: "a.txt" });
    expect(await ann("Edit", { file_path: "a.txt", old_string: "one", new_string: "1" })).toMatch(
      /^error: a\.txt was changed/,
    );
    const [, change, taken] = await bench.records();
    expect(change).toMatchObject({ kind: "change", member: "ann" });
    expect(taken).toMatchObject({ kind: "void", id: change?.kind === "change" ? change.id : "" });
  });
});
