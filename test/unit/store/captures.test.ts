import { cp, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { entrySchema } from "../../../src/protocol/message.ts";
import { parseBody } from "../../../src/protocol/messageBody.ts";
import { inboxFileName } from "../../../src/protocol/names.ts";
import { taskViews } from "../../../src/protocol/taskGraph.ts";
import { openTempStore, type TempStore } from "../../support/tempStore.ts";

/** Folders that real runs of four versions of the reference left, as they stood after each step. */
const CAPTURES = join(import.meta.dirname, "../../fixtures/captures");
const captures = await readdir(CAPTURES);
const steps = (
  await Promise.all(
    captures.map(async (capture) =>
      (await readdir(join(CAPTURES, capture, "steps"))).map((step) => ({ capture, step })),
    ),
  )
).flat();

test("there are captures of three versions", () => {
  expect(new Set(captures.map((capture) => capture.split("-")[0]))).toEqual(new Set(["2.1.41", "2.1.112", "2.1.332"]));
  expect(steps.length).toBeGreaterThan(60);
});

describe.each(captures)("%s", (capture) => {
  test("every entry that was ever seen is of a known kind", async () => {
    const all: Record<string, unknown[]> = JSON.parse(await readFile(join(CAPTURES, capture, "entries.json"), "utf8"));
    const entries = Object.values(all).flat();
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      const parsed = entrySchema.parse(entry);
      expect(parsed).toEqual(entry);
      expect(parseBody(parsed.text).kind, parsed.text).not.toBe("unknown");
    }
  });
});

describe.each(steps)("$capture after $step", ({ capture, step }) => {
  test("opens, and shows what is in its files", async () => {
    await using temp = await openCapture(capture, step);
    const { store, root } = temp;
    const shown = await store.teams.list();
    const folders = await foldersWithConfig(root);
    expect(shown.map((team) => team.name)).toEqual(folders);
    for (const { name, generation, members, ours, fault } of shown) {
      const raw = await rawJson(root, `teams/${name}/config.json`);
      const isLatest = capture.startsWith("2.1.332");
      expect({ generation, members, ours, fault }).toEqual({
        generation: isLatest ? "G3" : "G1",
        members: raw.members.length,
        ours: false,
        fault: null,
      });
      const snapshot = await store.snapshots.read(name);
      expect(snapshot.config).toEqual(raw);
      for (const [agent, { entries, faults }] of snapshot.inboxes) {
        expect(faults).toEqual([]);
        expect(entries).toEqual(await rawJson(root, `teams/${name}/inboxes/${inboxFileName(agent)}.json`));
      }
      expect(snapshot.inboxes.size).toBe((await listed(root, `teams/${name}/inboxes`)).length);
      const tasks = await Promise.all(
        (await taskFiles(root, name)).map((file) => rawJson(root, `tasks/${name}/${file}`)),
      );
      const visible = tasks.filter((task) => task.metadata?._internal !== true);
      expect(
        taskViews(snapshot.graph).map(({ id, subject, status, owner }) => ({ id, subject, status, owner })),
      ).toEqual(
        visible
          .map(({ id, subject, status, owner }) => ({ id, subject, status, owner: owner ?? null }))
          .sort((a, b) => a.id - b.id),
      );
    }
    expect(temp.faults).toEqual([]);
  });

  test("survives our writes, with fields that we do not know equal", async () => {
    await using temp = await openCapture(capture, step);
    const { store, root } = temp;
    for (const team of await foldersWithConfig(root)) {
      const before = await rawJson(root, `teams/${team}/config.json`);
      await store.teams.rebindLead(team, "ours");
      expect(await rawJson(root, `teams/${team}/config.json`)).toEqual({ ...before, leadSessionId: "ours" });
      for (const member of before.members) {
        const path = `teams/${team}/inboxes/${inboxFileName(member.name)}.json`;
        const entries = (await listed(root, `teams/${team}/inboxes`)).includes(path.split("/").at(-1) ?? "")
          ? await rawJson(root, path)
          : [];
        await store.inboxes.send(team, { from: "user", to: [member.name], text: "from us" });
        const after = await rawJson(root, path);
        expect(after.slice(0, -1)).toEqual(entries);
        expect(after.at(-1)).toMatchObject({ from: "user", text: "from us", read: false, msgV: 1, type: "message" });
      }
      for (const file of await taskFiles(root, team)) {
        const task = await rawJson(root, `tasks/${team}/${file}`);
        await store.tasks.update(team, task.id, { description: "ours" }, { by: "user", isAgent: false });
        expect(await rawJson(root, `tasks/${team}/${file}`)).toEqual({ ...task, description: "ours" });
      }
    }
    expect(temp.faults).toEqual([]);
  });
});

async function openCapture(capture: string, step: string): Promise<TempStore> {
  const root = await mkdtemp(join(tmpdir(), "muster-capture-"));
  await cp(join(CAPTURES, capture, "steps", step), root, { recursive: true });
  return await openTempStore({ root });
}

// biome-ignore lint/suspicious/noExplicitAny: raw files of other programs
async function rawJson(root: string, path: string): Promise<any> {
  return JSON.parse(await readFile(join(root, path), "utf8"));
}

async function listed(root: string, path: string): Promise<string[]> {
  return (await readdir(join(root, path)).catch(() => [])).filter((name) => name.endsWith(".json"));
}

async function taskFiles(root: string, team: string): Promise<string[]> {
  return (await listed(root, `tasks/${team}`)).filter((name) => /^\d+\.json$/.test(name));
}

async function foldersWithConfig(root: string): Promise<string[]> {
  const folders: string[] = await readdir(join(root, "teams")).catch(() => []);
  const found = await Promise.all(
    folders.map(async (name) => ((await readdir(join(root, "teams", name))).includes("config.json") ? [name] : [])),
  );
  return found.flat().sort();
}
