import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { silentLogger } from "../../../../src/base/logger.ts";
import { knownRoots, rememberRoot } from "../../../../src/extension/teams/knownRoots.ts";
import { listKnownTeams, type TeamChoice } from "../../../../src/extension/teams/storedTeams.ts";
import { groupChoices, placeOf } from "../../../../src/extension/teams/teamChoices.ts";
import { createDemo, openTempStore } from "../../../support/tempStore.ts";

it("teams of several roots are listed together; a root that cannot be read is said, and one that is gone is not", async () => {
  await using one = await openTempStore();
  await using other = await openTempStore();
  await createDemo(one.store);
  await createDemo(other.store, "alice");
  const kept = await other.store.teams.delete("demo", { keepHistory: true, now: Date.UTC(2026, 10, 28) });
  const place = await mkdtemp(path.join(tmpdir(), "muster-roots-"));
  const file = path.join(place, "file");
  await writeFile(file, "");
  const roots = [one.root, file, path.join(place, "gone"), other.root];
  const { choices, faults } = await listKnownTeams(roots, silentLogger);
  expect(choices.map(({ address }) => address)).toEqual([
    { root: one.root, kind: "team", folder: "demo" },
    { root: other.root, kind: "finished", folder: kept },
  ]);
  expect(faults).toEqual([{ root: file, why: expect.stringContaining(file) }]);
  await rm(place, { recursive: true });
});

const choice = (title: string, at: number, more: Partial<TeamChoice> = {}): TeamChoice => ({
  ...{ address: { root: "/home/ann/.claude", kind: "team", folder: title }, title, members: 2, at },
  ...{ live: false, ours: true, ...more },
});

it("those that run come first, then those of other programs, those that rest and finished ones, each the newest first", () => {
  const finished = (title: string, at: number) =>
    choice(title, at, { address: { root: "/r", kind: "finished", folder: title } });
  const groups = groupChoices([
    finished("done", 9),
    choice("resting", 8),
    choice("old", 1, { live: true }),
    choice("foreign", 7, { ours: false }),
    choice("new", 2, { live: true, ours: false }),
    choice("rested", 9),
    finished("done later", 10),
  ]);
  expect(groups.map(({ group, choices }) => [group, ...choices.map(({ title }) => title)])).toEqual([
    ["running", "new", "old"],
    ["foreign", "foreign"],
    ["resting", "rested", "resting"],
    ["finished", "done later", "done"],
  ]);
  expect(groupChoices([])).toEqual([]);
});

it("a row names its root where the list has teams of several", () => {
  const home = choice("home", 1);
  const demo = choice("demo", 1, { address: { root: "/home/anna/state", kind: "team", folder: "demo" } });
  expect(placeOf(home, [home, choice("other", 2)], "/home/ann")).toBe("home");
  expect(placeOf(home, [home, demo], "/home/ann")).toBe("home · ~/.claude");
  expect(placeOf(demo, [home, demo], "/home/ann")).toBe("demo · /home/anna/state");
});

it("the configured root, the one of Claude Code and those that the window showed before are known, each once", () => {
  const kept = new Map<string, unknown>();
  const memento = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as Parameters<typeof rememberRoot>[0];
  const at = { env: {}, home: "/home/ann" };
  expect(knownRoots("/home/ann/.claude/", memento, at)).toEqual(["/home/ann/.claude"]);
  for (const root of ["/tmp/demo", "/home/ann/.claude", "/tmp/demo", "/tmp/demo"]) rememberRoot(memento, root);
  expect(knownRoots("/teams", memento, at)).toEqual(["/teams", "/home/ann/.claude", "/tmp/demo"]);
  expect(knownRoots("/teams", memento, { ...at, env: { CLAUDE_CONFIG_DIR: "/c" } })).toEqual([
    "/teams",
    "/c",
    "/tmp/demo",
    "/home/ann/.claude",
  ]);
  for (let number = 0; number < 30; number++) rememberRoot(memento, `/tmp/demo-${number}`);
  expect(knownRoots("/teams", memento, at)).toHaveLength(12);
});
