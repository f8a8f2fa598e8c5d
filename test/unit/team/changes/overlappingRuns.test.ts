import path from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../src/base/clock.ts";
import { openTeamChanges } from "../../../../src/team/changes/teamChanges.ts";
import { changesBench, type Member } from "../../../support/changesBench.ts";
import { type StagedCommand, stagedCommand } from "../../../support/stagedCommand.ts";
import { differences, random, treeOf } from "../../../support/treeOf.ts";

const NAMES = ["a.txt", "b.txt", "dir/c.txt", "new.txt", "ü 文.txt"];

/** One command of a member. `alone`: no command of another member ran at any time while it did. */
interface Run {
  by: Editor;
  alone: boolean;
  command: StagedCommand;
}

interface Editor {
  name: string;
  call: Member;
  run: Run | null;
}

/** What one step of a run did to one file, as the files themselves tell. */
interface Touch {
  file: string;
  by: string;
  before: string | undefined;
  /** Null: an edit, whose author is known. */
  run: Run | null;
  /** Commands of how many members ran. */
  running: number;
}

/** A line of bash that makes, changes, removes or renames a file. */
function randomLine(next: () => number): string {
  const pick = () => `'${NAMES[Math.floor(next() * NAMES.length)]}'`;
  const [one, other, number] = [pick(), pick(), Math.floor(next() * 1e6)];
  const lines = [
    `mkdir -p dir; echo ${number} > ${one}`,
    `rm -f ${one}`,
    `mkdir -p dir; mv ${one} ${other} 2>/dev/null`,
    `[ ! -e ${one} ] || chmod 755 ${one}`,
    `[ ! -e ${one} ] || echo ${number} >> ${one}`,
  ];
  return lines[Math.floor(next() * lines.length)] ?? "";
}

async function randomWrite(call: Member, next: () => number): Promise<void> {
  const file = NAMES[Math.floor(next() * NAMES.length)];
  await call("Read", { file_path: file });
  await call("Write", { file_path: file, content: `${Math.floor(next() * 1e6)}\n` });
}

/** Every third step of a member begins or ends a command, the others change something in it or without one. */
async function step(editor: Editor, all: readonly Editor[], begin: () => Promise<StagedCommand>, next: () => number) {
  if (next() < 0.35) {
    if (editor.run) {
      await editor.run.command.end();
      editor.run = null;
      return;
    }
    const others = all.flatMap(({ run }) => run ?? []);
    for (const run of others) run.alone = false;
    editor.run = { by: editor, alone: others.length === 0, command: await begin() };
  } else if (editor.run) await editor.run.command.do(randomLine(next));
  else await randomWrite(editor.call, next);
}

/**
 * What must become of a file where `name` is undone, told by who really did what: "stays" where another member changed it
 * after `name` did, or commands of several ran when one did; "undone" where nobody can have taken part.
 */
function verdict(touches: readonly Touch[], name: string): "stays" | "undone" | "either" {
  const first = touches.findIndex(({ by }) => by === name);
  const since = touches.slice(first);
  if (since.some(({ by }) => by !== name)) return "stays";
  if (since.some(({ run, running }) => run !== null && running > 1)) return "stays";
  return touches.every(({ run }) => run === null || run.alone) ? "undone" : "either";
}

describe("50 random runs in which commands of three members overlap", () => {
  it.each(Array.from({ length: 50 }, (_, seed) => seed + 1))(
    "run %i: every overlap stays, the rest is undone",
    async (seed) => {
      const next = random(seed);
      await using bench = await changesBench(
        { "a.txt": "a\n", "b.txt": "b\n", "dir/c.txt": "c\n" },
        { repository: seed % 10 === 0 },
      );
      const editors: Editor[] = ["ann", "bob", "cleo"].map((name) => ({ name, call: bench.member(name), run: null }));
      const touches: Touch[] = [];
      for (let n = 0; n < 16; n += 1) {
        const editor = editors[Math.floor(next() * editors.length)] as Editor;
        const before = await treeOf(bench.cwd);
        await step(editor, editors, () => stagedCommand(bench, editor.call), next);
        const running = editors.filter(({ run }) => run !== null).length;
        for (const file of differences(before, await treeOf(bench.cwd)))
          touches.push({ file, by: editor.name, before: before.get(file), run: editor.run, running });
      }
      const runs = seed % 4 === 0; // who is undone last is asked for while its command runs
      for (const { run } of runs ? [] : editors) await run?.command.end();
      const undone = editors[Math.floor(next() * editors.length)] as Editor;
      const open = runs ? undone.run : null;
      const changes = openTeamChanges(bench.store, { kind: "team", folder: "crew", leadSession: "s1" }, systemClock);
      const plan = await changes.plan(undone.name);
      const before = await treeOf(bench.cwd);
      await changes.undo(plan);
      const after = await treeOf(bench.cwd);
      const namesOf = (files: readonly { path: string }[]) => files.map((file) => path.relative(bench.cwd, file.path));
      const [planned, refused] = [namesOf(plan.files), plan.refused];
      for (const file of new Set([...before.keys(), ...touches.map((touch) => touch.file)])) {
        const own = touches.filter((touch) => touch.file === file);
        const first = own.find(({ by }) => by === undone.name);
        const told = [file, after.get(file)];
        const why = refused.find((one) => one.path === path.join(bench.cwd, file))?.why.kind;
        if (!planned.includes(file)) expect(told).toEqual([file, before.get(file)]);
        if (!first) expect([file, planned]).toEqual([file, expect.not.arrayContaining([file])]);
        if (!first || own.some(({ run }) => run !== null && run === open)) continue;
        const expected = verdict(own, undone.name);
        const isAsItWas = before.get(file) === first.before;
        if (expected === "stays") expect([file, why !== undefined || isAsItWas]).toEqual([file, true]);
        if (expected === "undone" && why !== "renamed") expect(told).toEqual([file, first.before]);
        if (expected === "either" && why === undefined) expect(told).toEqual([file, first.before]);
      }
      for (const { run } of runs ? editors : []) await run?.command.end();
    },
  );
});
