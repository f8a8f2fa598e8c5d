import { access, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { silentLogger } from "../../../../src/base/logger.ts";
import { call } from "../../../../src/demo/script.ts";
import { recordPersonChanges } from "../../../../src/extension/changes/personChanges.ts";
import { SharedFiles } from "../../../../src/extension/changes/sharedFiles.ts";
import { openShownChanges } from "../../../../src/extension/changes/shownChanges.ts";
import type { MemberState } from "../../../../src/protocol/team.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { type ChangesBench, changesBench } from "../../../support/changesBench.ts";
import { eventually } from "../../../support/eventually.ts";
import { calls, script, team } from "../../../support/teamScripts.ts";
import { windowTeams } from "../../../support/windowTeams.ts";

const changesOf = ({ store }: ChangesBench) =>
  openTeamChanges(store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);

/** The person changes these files (names in the project, or absolute) in a window whose members are so. */
async function personChanged({ store, cwd }: ChangesBench, files: readonly string[], state: MemberState = "working") {
  const members = () => [{ state }] as never;
  const session = { id: "s1", cwd, team: "crew", members };
  const ports = { session, changes: store.changes, log: silentLogger };
  await recordPersonChanges(
    ports,
    files.map((file) => path.resolve(cwd, file)),
  );
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Runs a command of `ann` that does something before and after what is done meanwhile. */
async function whileCommandRuns(bench: ChangesBench, command: string, meanwhile: () => Promise<void>) {
  const [begun, go] = ["begun", "go"].map((name) => path.join(bench.cwd, "..", name)) as [string, string];
  const running = bench.member("ann")("Bash", {
    command: `touch '${begun}'; until [ -e '${go}' ]; do sleep 0.02; done; ${command}`,
  });
  await eventually("the command", () => isThere(begun));
  await meanwhile();
  await writeFile(go, "");
  await running;
}

const named = (bench: ChangesBench, files: readonly { path: string }[]) =>
  files.map((file) => path.relative(bench.cwd, file.path)).sort();

describe.each([{ repository: true }, { repository: false }])(
  "what the person does while a command runs (%o)",
  (place) => {
    it("is not undone as the member's, whether it was saved, made, deleted or renamed; the rest is", async () => {
      const texts = { "saved.txt": "s\n", "gone.txt": "g\n", "old/moved.txt": "m\n", "own.txt": "o\n" };
      await using bench = await changesBench(texts, place);
      await whileCommandRuns(bench, "echo ann > own.txt; echo ann > new.txt", async () => {
        await bench.write("saved.txt", "the person's\n");
        await bench.write("made.txt", "the person's\n");
        await rm(path.join(bench.cwd, "gone.txt"));
        await rename(path.join(bench.cwd, "old"), path.join(bench.cwd, "moved"));
        await personChanged(bench, ["saved.txt", "made.txt", "gone.txt", "old", "moved"]);
      });
      const changes = changesOf(bench);
      const plan = await changes.plan("ann");
      expect(named(bench, plan.files)).toEqual(["new.txt", "own.txt"]);
      expect(plan.refused.map(({ path: file, why }) => [path.relative(bench.cwd, file), why.kind])).toEqual([
        ["gone.txt", "person"],
        ["made.txt", "person"],
        ["moved/moved.txt", "person"],
        ["old/moved.txt", "person"],
        ["saved.txt", "person"],
      ]);
      await changes.undo(plan);
      expect(await readFile(path.join(bench.cwd, "saved.txt"), "utf8")).toBe("the person's\n");
      expect(await readFile(path.join(bench.cwd, "own.txt"), "utf8")).toBe("o\n");
    });

    it("stays also where the command changes the same file, and where the editor tells of it after the command", async () => {
      await using bench = await changesBench({ "both.txt": "b\n", "late.txt": "l\n" }, place);
      await whileCommandRuns(bench, "echo ann >> both.txt", async () => {
        await bench.write("both.txt", "the person's\n");
        await personChanged(bench, ["both.txt"]);
        await bench.write("late.txt", "the person's\n");
      });
      await personChanged(bench, ["late.txt"]);
      const { files, refused } = await changesOf(bench).plan("ann");
      expect(files).toEqual([]);
      expect(refused.map(({ why }) => why.kind)).toEqual(["person", "person"]);
    });
  },
);

describe("what the person does while a command of another member runs", () => {
  const edit = async (bench: ChangesBench, name: string) => {
    const call = bench.member(name);
    await call("Read", { file_path: "a.txt" });
    await call("Edit", { file_path: "a.txt", old_string: "a", new_string: `a ${name}` });
  };
  const save = (bench: ChangesBench) => async () => {
    await bench.write("a.txt", "a of the person\n");
    await personChanged(bench, ["a.txt"]);
  };
  const shared = async ({ store, cwd }: ChangesBench) => {
    const people = (name: string) => ({ name, displayName: name, color: null, role: "teammate" as const });
    const ports = { store: store.changes, people, onChange() {}, log: silentLogger };
    const files = new SharedFiles({ ...ports, session: { id: "s1", cwd, team: "crew" } });
    await files.look();
    return files.files.map(({ file, members }) => [file, ...members.map(({ name }) => name)]);
  };

  it("keeps an earlier member's file, names the person, and makes the other nobody who changed it", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: true });
    await edit(bench, "bob");
    await whileCommandRuns(bench, "true", save(bench));
    const { files, refused } = await changesOf(bench).plan("bob");
    expect(files).toEqual([]);
    expect(refused).toEqual([{ path: path.join(bench.cwd, "a.txt"), why: { kind: "person", by: "ann" } }]);
    expect(await shared(bench)).toEqual([]);
  });

  it("takes away nothing of what the other surely changed", async () => {
    await using bench = await changesBench({ "a.txt": "a\n" }, { repository: true });
    await edit(bench, "bob");
    await whileCommandRuns(bench, "true", save(bench));
    await edit(bench, "ann");
    const { refused } = await changesOf(bench).plan("bob");
    expect(refused.map(({ why }) => why)).toEqual([{ kind: "member", by: "ann" }]);
    expect(await shared(bench)).toEqual([["a.txt", "bob", "ann"]]);
  });
});

describe("what the person does at another time", () => {
  it("leaves a command's own change to be undone", async () => {
    await using bench = await changesBench({ "a.txt": "a\n", "b.txt": "b\n" }, { repository: true });
    await bench.write("a.txt", "the person's\n");
    await personChanged(bench, ["a.txt"]);
    await bench.member("ann")("Bash", { command: "echo ann > a.txt; echo ann > b.txt" });
    const plan = await changesOf(bench).plan("ann");
    expect(named(bench, plan.files)).toEqual(["a.txt", "b.txt"]);
  });
});

describe("the record of what the person changed", () => {
  it("names files as the changes do: without linked folders, and a link with what it leads to", async () => {
    await using bench = await changesBench({ "src/a.txt": "a\n" }, { repository: false });
    const link = path.join(bench.cwd, "..", "link");
    await symlink(bench.cwd, link);
    await symlink("src/a.txt", path.join(bench.cwd, "b.txt"));
    await personChanged(bench, [path.join(link, "b.txt"), path.join(link, "src/gone.txt")]);
    const records = await bench.records();
    const paths = ["b.txt", "src/a.txt", "src/gone.txt"].map((name) => path.join(bench.cwd, name));
    expect(records).toEqual([{ kind: "person", at: expect.any(String), paths }]);
  });

  it("holds nothing of files elsewhere, nor where no member works", async () => {
    await using bench = await changesBench({}, { repository: false });
    await mkdir(`${bench.cwd}-2`);
    await personChanged(bench, [`${bench.cwd}-2/a.txt`, bench.cwd, "../a.txt"]);
    await personChanged(bench, ["a.txt"], "idle");
    expect(await bench.records()).toEqual([]);
    await personChanged(bench, ["a.txt"], "suspect");
    expect(await bench.records()).toHaveLength(1);
  });
});

it("a team that this window runs refuses to undo what the person saved while its command ran", async () => {
  const command = "touch begun; until [ -e go ]; do sleep 0.02; done; rm begun go";
  const { host, live, start } = await windowTeams(
    team({ "team-lead": script(calls(call("Bash", { command })), "Done.") }),
    { permissionMode: "bypassPermissions" },
  );
  await using _ = host;
  const file = path.join(host.cwd, "a.txt");
  await start();
  await eventually("the command", () => isThere(path.join(host.cwd, "begun")));
  await writeFile(file, "the person's\n");
  await live.personChanged([file]);
  await writeFile(path.join(host.cwd, "go"), "");
  await host.rest();
  const { address } = live;
  if (!address) throw new Error("The team is nowhere.");
  const changes = await openShownChanges(address, silentLogger);
  expect(await changes.plan("team-lead")).toMatchObject({
    files: [],
    refused: [{ path: file, why: { kind: "person", by: "team-lead" } }],
  });
  changes.dispose();
  live.dispose();
});
