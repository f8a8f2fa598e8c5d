import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Processes, ProcessIdentity, ProcessState } from "../../../src/store/processIdentity.ts";
import { createDemo, LEAD_SESSION, openTempStore } from "../../support/tempStore.ts";

describe("settings", () => {
  test("are empty without a file; saved rules are added once and nothing else changes", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    expect(await settings.personRules()).toEqual({ allow: [], ask: [], deny: [], additionalDirectories: [] });
    await settings.addPermissions({ allow: ["Bash(npm test)"] });
    const raw = JSON.parse(await readFile(paths.settings, "utf8"));
    await writeFile(
      paths.settings,
      JSON.stringify({ ...raw, theirs: 1, permissions: { ...raw.permissions, deny: ["Read(x)"] } }),
    );
    await settings.addPermissions({ allow: ["Bash(npm test)", "WebFetch", "WebFetch"] });
    expect(JSON.parse(await readFile(paths.settings, "utf8"))).toEqual({
      permissions: { allow: ["Bash(npm test)", "WebFetch"], deny: ["Read(x)"] },
      theirs: 1,
    });
    expect(await settings.personRules()).toMatchObject({ allow: ["Bash(npm test)", "WebFetch"], deny: ["Read(x)"] });
  });

  test("that are damaged are an error and never no rules; the file is left to the person", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    await mkdir(paths.muster, { recursive: true });
    for (const damaged of ["", "{", '{"permissions": {"deny": "Bash"}}', '{"permissions": {"defaultMode": "yolo"}}']) {
      await writeFile(paths.settings, damaged);
      await expect(settings.personRules()).rejects.toMatchObject({ reason: "corrupt" });
      await expect(settings.addPermissions({ allow: ["WebFetch"] })).rejects.toMatchObject({ reason: "corrupt" });
      expect(await readFile(paths.settings, "utf8")).toBe(damaged);
    }
  });

  test("of a workspace are read beside them", async () => {
    await using temp = await openTempStore();
    const cwd = join(temp.root, "project");
    await mkdir(join(cwd, ".muster"), { recursive: true });
    const file = { permissions: { deny: ["Bash(rm -rf /)"], defaultMode: "plan" }, hooks: { TaskCompleted: [] } };
    await writeFile(join(cwd, ".muster/settings.json"), JSON.stringify(file));
    expect(await temp.store.settings.workspace(cwd)).toMatchObject({
      settings: {
        permissions: { allow: [], deny: ["Bash(rm -rf /)"], defaultMode: "plan" },
        hooks: { TaskCompleted: [] },
      },
      accepted: false,
    });
  });

  test("of a workspace are accepted as they were shown: by the bytes of the file, and at its place", async () => {
    await using temp = await openTempStore();
    const { settings, paths } = temp.store;
    const [cwd, other] = [join(temp.root, "project"), join(temp.root, "other")];
    const write = async (text: string, folder = cwd) => {
      await mkdir(join(folder, ".muster"), { recursive: true });
      await writeFile(join(folder, ".muster/settings.json"), text);
    };
    expect(await settings.workspace(cwd)).toMatchObject({ digest: null, accepted: false });
    const text = '{"permissions": {"allow": ["Bash(npm test)"]}}';
    await write(text);
    const shown = await settings.workspace(cwd);
    await write(`${text} `);
    await expect(settings.acceptWorkspace(cwd, shown.digest ?? "")).rejects.toMatchObject({ reason: "not_ready" });
    expect((await settings.workspace(cwd)).accepted).toBe(false);
    await write(text);
    await settings.addPermissions({ allow: ["Read"] });
    await settings.acceptWorkspace(cwd, shown.digest ?? "");
    expect((await settings.workspace(cwd)).accepted).toBe(true);
    expect(await settings.personRules()).toMatchObject({ allow: ["Read"] });
    await write(text, other); // the same text elsewhere
    expect((await settings.workspace(other)).accepted).toBe(false);
    await write(text.replace("npm test", "npm run x"));
    expect((await settings.workspace(cwd)).accepted).toBe(false);
    await write(text);
    expect((await settings.workspace(cwd)).accepted).toBe(true);
    expect(paths.isOutOfReach(paths.settings)).toBe(true);
  });

  test("of Claude Code are read for their rules alone, and never written", async () => {
    await using temp = await openTempStore();
    const cwd = join(temp.root, "project");
    const text = JSON.stringify({
      permissions: { allow: ["Bash"], deny: ["Read(./.env)"], ask: ["Bash(git push:*)"], defaultMode: "newest" },
      hooks: [{ anything: 1 }],
    });
    await mkdir(join(cwd, ".claude"), { recursive: true });
    const files = temp.store.paths.claudeSettings(cwd);
    for (const file of files) await writeFile(file, text);
    const only = { allow: ["Bash"], ask: ["Bash(git push:*)"], deny: ["Read(./.env)"], additionalDirectories: [] };
    expect(await temp.store.settings.claudeFiles(cwd)).toEqual([only, only, only]);
    for (const file of files) expect(await readFile(file, "utf8")).toBe(text);
    await writeFile(files[1] ?? "", '{"permissions": {"deny": "Bash"}}');
    await expect(temp.store.settings.claudeFiles(cwd)).rejects.toMatchObject({ reason: "corrupt" });
  });
});

describe("what is out of reach of tools", () => {
  test("is the team's state, under the name of the root and under its real name", async () => {
    const real = await mkdtemp(join(tmpdir(), "muster-real-"));
    const link = `${real}-link`;
    await symlink(real, link);
    await using temp = await openTempStore({ root: link });
    await createDemo(temp.store, "alice");
    const { paths } = temp.store;
    expect(paths.outOfReach).toEqual(["teams", "tasks", "muster", "shell-snapshots"].map((name) => join(link, name)));
    for (const root of [link, real]) {
      for (const inside of [
        "teams",
        "teams/demo/config.json",
        "tasks/demo/1.json",
        "muster/settings.json",
        "shell-snapshots/x",
      ]) {
        expect(paths.isOutOfReach(join(root, inside))).toBe(true);
      }
      for (const outside of ["", "plans/a.md", "CLAUDE.md", "teams-notes", "muster.txt"]) {
        expect(paths.isOutOfReach(join(root, outside))).toBe(false);
      }
    }
    await rm(real, { recursive: true });
  });
});

describe("the lead's lease", () => {
  const here: ProcessIdentity = { pid: 100, host: "here", startTime: "1" };
  const other: ProcessIdentity = { pid: 200, host: "here", startTime: "2" };
  const processes = (self: ProcessIdentity, states: Record<number, ProcessState>): Processes => ({
    self: async () => self,
    state: async ({ pid }) => states[pid] ?? "unknown",
  });

  test("is one window's; a second one is told who leads, until that one has ended or died", async () => {
    const states: Record<number, ProcessState> = { 100: "alive", 200: "alive" };
    await using first = await openTempStore({ processes: processes(here, states) });
    await using second = await openTempStore({ root: first.root, processes: processes(other, states) });
    await createDemo(first.store);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({
      reason: "lead_elsewhere",
      message: expect.stringMatching(/process 100 on here/),
    });
    await expect(second.store.leads.acquire("demo", LEAD_SESSION)).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await second.store.leads.release("demo", "s-2");
    expect(await first.store.leads.read("demo")).toMatchObject({ sessionId: LEAD_SESSION, pid: 100 });
    states[100] = "dead";
    await second.store.leads.acquire("demo", "s-2");
    await expect(first.store.leads.renew("demo", LEAD_SESSION)).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await second.store.leads.renew("demo", "s-2");
    await second.store.leads.release("demo", "s-2");
    expect(await first.store.leads.read("demo")).toBeNull();
  });

  test("of another host ends when it is silent", async () => {
    let now = 1_000;
    const clock = { now: () => now, sleep: async () => {} };
    await using first = await openTempStore({ clock, processes: processes({ ...here, host: "far" }, {}) });
    await using second = await openTempStore({ root: first.root, clock, processes: processes(other, {}) });
    await createDemo(first.store);
    await first.store.leads.acquire("demo", LEAD_SESSION);
    now += 29_000;
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({ reason: "lead_elsewhere" });
    await first.store.leads.renew("demo", LEAD_SESSION);
    now += 29_000;
    await expect(second.store.leads.acquire("demo", "s-2")).rejects.toMatchObject({ reason: "lead_elsewhere" });
    now += 2_000;
    expect(await second.store.leads.acquire("demo", "s-2")).toMatchObject({ sessionId: "s-2", since: now });
  });
});
